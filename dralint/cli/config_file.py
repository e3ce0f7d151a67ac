"""Read a configuration file: YAML, or the table [tool.dralint] of a pyproject.toml; what is wrong has its place."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

from dralint.cli.config import Config
from dralint.errors import ConfigError, Place, RuleError
from dralint.lint.rule_file import place as place_in_yaml
from dralint.lint.valid import errors
from dralint.yamltext.load import load_data
from dralint.yamltext.view import Path

_TABLE = ("tool", "dralint")
_POSITION = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_ADVICE = "schemas/config.schema.json has all keys"


def _yaml(name: str, path: str) -> tuple[Any, Callable[[Path], Place]]:
    try:
        data = load_data.__wrapped__(path)
    except RuleError as error:
        place = error.place._replace(path=name) if error.place else Place(name)
        raise ConfigError(error.what, place, error.advice) from None
    return {} if data is None else data, lambda key: place_in_yaml(path, key)._replace(path=name)


def _toml(name: str, path: str) -> tuple[Any, Callable[[Path], Place]]:
    import tomllib

    try:
        with open(path, "rb") as file:
            text = file.read().decode()
        data: Any = tomllib.loads(text)
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", Place(name)) from None
    except UnicodeDecodeError:
        raise ConfigError("not valid UTF-8", Place(name), "save the file as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        found = _POSITION.search(said)
        where = Place(name, int(found[1]), int(found[2])) if found and found[1] else Place(name)
        raise ConfigError(f"not valid TOML: {_POSITION.sub('', said)}", where) from None
    except RecursionError:
        raise ConfigError("nested too deeply", Place(name)) from None
    from dralint.cli.toml_places import line_and_column

    for key in _TABLE:
        data = data.get(key) if isinstance(data, dict) else None
    return data, lambda key: Place(name, *line_and_column(text, (*_TABLE, *key)))


def read(name: str, path: str) -> Config | None:
    """The configuration in a file; None for a pyproject.toml that has none.

    name  for messages; path: absolute. Raises ConfigError.
    """
    data, where = (_toml if path.endswith(".toml") else _yaml)(name, path)
    if data is None:
        return None
    wrong = errors(data, "config.schema.json")
    if wrong:
        from dralint.lint.schema_errors import first, position, what

        error = first(wrong)
        raise ConfigError(what(error), where(position(error)), _ADVICE)
    return Config(name, os.path.dirname(path), data, where)
