"""Options that several commands share: the target, and what every command has."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from dralint.errors import UsageError

if TYPE_CHECKING:
    from dralint.cli.config import Config

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Common(NamedTuple):
    """What every command is told.

    color       auto, always or never; ask `colored`
    quiet       no summary, notes and assumptions on stderr
    verbose     more detail on stderr, and the traceback of an internal error
    stdin_name  the name that stands for standard input in messages; where it names a place in a git
                work tree, references resolve there
    config      the configuration file that was named; ask `configuration`
    no_config   use none
    """

    color: str
    quiet: bool
    verbose: bool
    stdin_name: str = "<stdin>"
    config: str | None = None
    no_config: bool = False

    @property
    def configuration(self) -> Config:
        """What the configuration file of this run says."""
        from dralint.cli.config import configuration

        return configuration()

    def colored(self, stream: Any) -> bool:
        """Whether what is written to the stream is to be coloured."""
        if self.color != "auto":
            return self.color == "always"
        if os.environ.get("NO_COLOR"):
            return False
        return bool(stream.isatty()) and os.environ.get("TERM") != "dumb"


def packed(
    function: Callable[..., Any], options: Sequence[Callable[[Any], Any]], into: str, pack: Callable[..., Any]
) -> Callable[..., Any]:
    """`function` with the options added, their values given to it as one argument `into`."""
    names: list[str] = []

    @functools.wraps(function)
    def called(*args: Any, **values: Any) -> Any:
        values[into] = pack(**{name: values.pop(name) for name in names})
        return function(*args, **values)

    wrapped: Callable[..., Any] = called
    before = len(getattr(called, "__click_params__", ()))
    for option in reversed(options):
        wrapped = option(wrapped)
    names.extend(str(parameter.name) for parameter in getattr(wrapped, "__click_params__", ())[before:])
    return wrapped


def _common(**values: Any) -> Common:
    """Raises UsageError for options of which one undoes the other."""
    common = Common(**values)
    for one, other, both in (
        ("--quiet", "--verbose", common.quiet and common.verbose),
        ("--config", "--no-config", common.no_config and common.config is not None),
    ):
        if both:
            raise UsageError(f"{one} and {other} cannot be combined", advice="choose one")
    return common


_STDIN_OPTION = click.option(
    "--stdin-filename",
    "stdin_name",
    metavar="NAME",
    default="<stdin>",
    help="The name of what comes on standard input; in a git work tree references resolve from there.",
)


def common_options(function: _Function) -> _Function:
    """Adds the options of a command that reads files; the command gets them as `common: Common`."""
    return _with_common(function, _STDIN_OPTION)


def plain_options(function: _Function) -> _Function:
    """Adds the options of a command that reads no manifests; the command gets them as `common: Common`."""
    return _with_common(function)


def _with_common(function: _Function, *more: Callable[[Any], Any]) -> _Function:
    options = (
        click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto",
                     help="Colour the output; auto: on a terminal, unless NO_COLOR is set."),
        click.option("-q", "--quiet", is_flag=True, help="No summary, notes and assumptions on stderr; errors, warnings and what is left to "
                          "decide are told all the same."),
        click.option("-v", "--verbose", is_flag=True, help="More detail on stderr."),
        *more,
        click.option("--config", metavar="FILE",
                     help="The configuration file. Default: .dralint.yaml, or [tool.dralint] in pyproject.toml, "
                          "in this directory or above, up to the git root."),
        click.option("--no-config", is_flag=True, help="Use no configuration file."),
    )  # fmt: skip
    return packed(function, options, "common", _common)  # type: ignore[return-value]


_TARGET_OPTIONS = (
    click.option("--target-kubernetes", "kubernetes", metavar="VERSION",
                 help="Kubernetes the manifests will run on, such as 1.36. Default: the newest known."),
    click.option("--dra-driver", metavar="VERSION",
                 help="NVIDIA's DRA driver, such as 0.5.1. Default: the newest known."),
    click.option("--gpu-driver", metavar="BRANCH", help="The GPU driver's branch, such as 580."),
    click.option("--stack", type=click.Choice(["operator", "standalone", "unknown"]),
                 help="Who installs the DRA driver: the GPU Operator, by a GPUCluster, or the driver's own chart. "
                      "A ClusterPolicy installs none. Default: unknown."),
    click.option("--gate", "gates", multiple=True, metavar="NAME=BOOL",
                 help="A feature gate that differs from its default; kubernetes:NAME or driver:NAME "
                      "where one is meant, a bare name means both. May be repeated."),
)  # fmt: skip


def _flags(**values: Any) -> Any:
    from dralint.cli.targets import TargetFlags

    return TargetFlags(**values)


def _target(**values: Any) -> Any:
    from dralint.cli.config import configuration
    from dralint.cli.targets import TargetFlags, target_of

    return target_of(configuration(), TargetFlags(**values))


def target_flags(function: _Function) -> _Function:
    """Adds the target options; the command gets what was said as `target: dralint.cli.targets.TargetFlags`."""
    return packed(function, _TARGET_OPTIONS, "target", _flags)  # type: ignore[return-value]


def target_options(function: _Function) -> _Function:
    """Adds the target options; the command gets them as `target: dralint.nvidia.target.Target`.

    What they do not say the configuration says, or the default.
    """
    return packed(function, _TARGET_OPTIONS, "target", _target)  # type: ignore[return-value]
