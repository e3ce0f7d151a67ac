"""The same manifests in other clothes: what a file says does not depend on how it is written."""

import json
import re

import yaml

_PLAIN_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")
_AMBIGUOUS = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}


class _Loader(yaml.CSafeLoader):
    """Leaves dates alone, as Kubernetes does."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


class _Dumper(yaml.CSafeDumper):
    def ignore_aliases(self, data):
        return True


def _documents(data):
    return [_with_text_keys(value) for value in yaml.load_all(data, Loader=_Loader) if value is not None]


def _with_text_keys(value):
    if isinstance(value, dict):
        return {
            json.dumps(key) if not isinstance(key, str) else key: _with_text_keys(child)
            for key, child in value.items()
        }
    return [_with_text_keys(child) for child in value] if isinstance(value, list) else value


def windows(data):
    """A byte order mark, lines that end as on Windows, and no line end at the end."""
    return b"\xef\xbb\xbf" + data.replace(b"\r\n", b"\n").rstrip(b"\n").replace(b"\n", b"\r\n")


def kyaml(data):
    """All braces and commas, as `kubectl -o kyaml` writes."""
    return "".join(f"---\n{_kyaml(value, 0)}\n" for value in _documents(data)).encode()


def _kyaml(value, depth):
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict) and value:
        entries = "".join(
            f"{inner}{_key(key)}: {_kyaml(child, depth + 1)},\n" for key, child in value.items()
        )
        return f"{{\n{entries}{outer}}}"
    if isinstance(value, list) and value:
        if all(isinstance(child, dict) for child in value):
            return "[" + ", ".join(_kyaml(child, depth) for child in value) + "]"
        return "[\n" + "".join(f"{inner}{_kyaml(child, depth + 1)},\n" for child in value) + f"{outer}]"
    return json.dumps(value, ensure_ascii=False)


def _key(key):
    return key if _PLAIN_KEY.match(key) and key.lower() not in _AMBIGUOUS else json.dumps(key)


def flow(data):
    """Flow style broken anywhere, as a dumper with a line width writes."""
    return "".join(
        "---\n" + yaml.dump(value, Dumper=_Dumper, default_flow_style=True, width=60, sort_keys=False)
        for value in _documents(data)
    ).encode()


def json_list(data):
    """JSON: a List of all objects, or the one object."""
    values = _documents(data)
    whole = values[0] if len(values) == 1 else {"apiVersion": "v1", "kind": "List", "items": values}
    return json.dumps(whole, indent=2, ensure_ascii=False).encode()
