"""The command line's edge: subcommands are imported when they are asked for, errors become one line."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module

import click

from dralint import __version__
from dralint.cli.messages import tell, tell_errors
from dralint.errors import DralintError, UsageError

FAILED = 2
INTERRUPTED = 130
PIPE_CLOSED = 141

COMMANDS = ("cards", "check", "convert", "explain", "match", "rules")


class _Commands(click.Group):
    """The subcommands; a module under dralint.cli is imported only when its command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"dralint.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from dralint.cli.hints import command_hint

            raise UsageError(f"No such command {args[0]!r}", advice=command_hint(args[0], COMMANDS))
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
def _dralint() -> None:
    """Lint and convert Kubernetes manifests that ask for NVIDIA GPUs.

    Manifests are read offline: no cluster, no network. dralint convert PATH shows a diff and writes nothing;
    dralint check PATH says what is wrong with manifests for Dynamic Resource Allocation.
    """


class _Ended(Exception):
    """The run is over, with this exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def _where(error: BaseException) -> str:
    """The innermost place inside dralint that the error passed through."""
    here = "dralint"
    trace = error.__traceback__
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        if module.startswith("dralint"):
            here = f"{module}:{trace.tb_lineno}"
        trace = trace.tb_next
    return here


def _internal(error: BaseException, verbose: bool) -> None:
    if verbose:
        import traceback

        traceback.print_exception(error)
    kind = type(error).__name__
    said = str(error)[:200]
    advice = "please report it" if verbose else "please report it with the output of the same command with -v"
    tell(f"dralint: internal error in {_where(error)}: {kind}{': ' if said else ''}{said} ({advice})")


def _misused(error: click.UsageError, command: str) -> None:
    """One line on a wrong command line; what may have been meant, or where help is.

    command: the first word of the command line
    """
    # What click's parser finds wrong has no context.
    path = error.ctx.command_path if error.ctx else f"dralint {command}" if command in COMMANDS else "dralint"
    said, hint = error.format_message(), ""
    if isinstance(error, click.NoSuchOption):
        from dralint.cli.hints import option_hint

        every = {name: import_module(f"dralint.cli.{name}").command for name in COMMANDS}
        said, hint = f"No such option {error.option_name!r}", option_hint(error, every)
    more = f"{hint}; " if hint and not hint.endswith("?") else f"{hint} "
    tell(f"dralint: error: {said.rstrip('.')} ({more.lstrip()}see {path} --help)")


def _drop_output() -> None:
    """Send what is still to be written nowhere: Python would try again at exit, and complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


@contextmanager
def _edge(arguments: Sequence[str]) -> Iterator[None]:
    """Turn whatever goes wrong into one line on stderr and an exit code; raises _Ended."""
    verbose = "-v" in arguments or "--verbose" in arguments
    try:
        yield
    except DralintError as error:
        tell_errors([error])
    except click.exceptions.Exit as ended:
        raise _Ended(ended.exit_code) from None
    except (KeyboardInterrupt, click.Abort):
        tell("dralint: interrupted")
        raise _Ended(INTERRUPTED) from None
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
    except click.UsageError as error:
        _misused(error, next(iter(arguments), ""))
    except click.ClickException as error:
        tell(f"dralint: error: {error.format_message()}")
    except SystemExit as ended:
        # Only click raises it, and only for a pipe that nobody reads any more.
        raise _Ended(PIPE_CLOSED) from ended
    except BrokenPipeError:
        _drop_output()
        raise _Ended(PIPE_CLOSED) from None
    except OSError as error:
        tell(f"{error.filename or 'dralint'}: error: {error.strerror or error}")
        try:
            sys.stdout.flush()
        except OSError:
            _drop_output()
    except MemoryError:
        tell("dralint: error: out of memory (name fewer files at a time)")
    except Exception as error:  # noqa: BLE001
        _internal(error, verbose)
    else:
        return
    raise _Ended(FAILED)


def _ready_streams() -> None:
    """Make both output streams take any text; what was closed by our caller goes nowhere."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def run(arguments: Sequence[str]) -> int:
    """Run one command line (without the program's name) and return its exit code."""
    _ready_streams()
    try:
        with _edge(arguments):
            code = _dralint.main(list(arguments), prog_name="dralint", standalone_mode=False)
            sys.stdout.flush()
            return int(code or 0)
    except _Ended as ended:
        return ended.code


def main() -> None:
    """The console script `dralint`."""
    code = run(sys.argv[1:])
    # The process ends: without this, the interpreter collects garbage for longer than a file takes.
    gc.freeze()
    sys.exit(code)
