"""`dralint convert`: device-plugin requests become claims, shown as a diff unless told otherwise."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import click

from dralint.cli.clusters import cluster_options, sharing_option
from dralint.cli.destination import STDIN, STDOUT, Destination, validate
from dralint.cli.help_text import Grouped
from dralint.cli.messages import tell, tell_errors
from dralint.cli.options import Common, common_options, target_options
from dralint.errors import DralintError, InternalError, Place, UsageError

if TYPE_CHECKING:
    from dralint.cli.dump import Dumps
    from dralint.cli.inputs import Inputs
    from dralint.convert.model import Conversion
    from dralint.convert.options import Options
    from dralint.convert.sharing.cluster import Cluster
    from dralint.nvidia.target import Target


def _delivered(
    inputs: Inputs,
    conversion: Conversion,
    paths: Sequence[str],
    to: Destination,
    common: Common,
    dumps: Dumps,
) -> list[DralintError]:
    """Put the converted files where they belong; what failed is returned."""
    from dralint.cli.destinations import write_copies, write_in_place
    from dralint.cli.diffs import print_bytes, print_diff

    results = conversion.files
    if to.check:
        for result in results:
            if result.changed:
                tell(f"{result.file.file.name}: would change")
    elif to.output_dir:
        sources = [source for source in inputs.sources if not dumps.holds(source)]
        return [*write_copies(sources, results, to.output_dir), *dumps.write(to.output_dir)]
    elif to.stdin:
        for result in results:
            if result.error is None:
                print_bytes(result.after)
    elif to.write:
        return write_in_place(results)
    elif to.output_overlay:
        from dralint.cli.components import write_components

        return write_components(conversion.components, paths, to.output_overlay)
    elif to.report != STDOUT:
        print_diff(results, colored=common.colored(sys.stdout))
    return []


def _write_report(conversion: Conversion, target: Target, problems: list[DralintError], file: str) -> None:
    from dralint.cli.destinations import save

    name = file.lower()
    if name.endswith(".html"):
        from dralint.report.convert_html import report
    elif name.endswith(".md"):
        from dralint.report.convert_md import report
    else:
        from dralint.report.convert_json import report
    text = report(conversion, target, problems)
    if file == STDOUT:
        sys.stdout.write(text)
    else:
        save(file, text.encode())


def _next_step(conversion: Conversion, to: Destination) -> str | None:
    from dralint.report.words import counted

    changed = sum(result.changed for result in conversion.files)
    failed = sum(result.error is not None for result in conversion.files)
    files = counted(changed, "file")
    but = f", {counted(failed, 'file')} left as {'it was' if failed == 1 else 'they were'}" if failed else ""
    if to.only_shows:
        return (
            f"{files} would change: --write changes {'it' if changed == 1 else 'them'}" if changed else None
        )
    if to.write:
        if not changed:
            return f"no file changed{but}" if failed else None
        return f"{files} changed{but}: review the changes, then run dralint check on them"
    if to.output_overlay:
        from dralint.cli.components import told

        return f"{told(conversion.components, to.output_overlay)}; the files are as they were"
    return f"copies in {to.output_dir}, {files} converted{but}" if to.output_dir else None


def _show(conversion: Conversion, inputs: Inputs, target: Target, step: str | None, common: Common) -> None:
    """Tell on stderr what became of the requests; step: what to do next, None for nothing."""
    from dralint.cli.inputs import excluded_notes
    from dralint.report.convert_text import details, summary

    for line in details(conversion, verbose=common.verbose):
        tell(line)
    if common.quiet:
        return
    for note in excluded_notes(inputs, common.configuration):
        tell(note)
    for line in summary(conversion, target, files=len(inputs.sources), verbose=common.verbose):
        tell(line)
    if step:
        tell(step)


def execute(paths: Sequence[str], options: Options, to: Destination, common: Common) -> int:
    """Convert and return the exit code.

    0: nothing is left to do; 1: an occurrence needs a person, or --check and the diff would change
    something; 2: something could not be read or written.
    """
    validate(paths, to)
    from dralint.cli.class_file import open_class_file
    from dralint.cli.dump import Dumps
    from dralint.cli.inputs import make_context, read_inputs
    from dralint.convert.convert import convert
    from dralint.convert.model import Outcome
    from dralint.convert.words import context_words, words

    config = common.configuration
    dumps = Dumps(
        words(),
        apart=to.output_dir is not None,
        companions=options.companions,
        shown=not common.quiet,
    )
    inputs = read_inputs(
        paths,
        words=words(),
        stdin_name=common.stdin_name,
        all_sources=to.output_dir is not None,
        passed_over=to.made,
        # What comes from a pipe must go on through it.
        excluded=None if to.stdin else config.excluded,
        parts=dumps.read if to.stdin or to.output_dir else None,
        most_stdin=dumps.most_stdin if to.stdin else None,
    )
    if to.stdin and to.output_dir and not inputs.problems and not all(map(dumps.holds, inputs.sources)):
        raise UsageError("--output-dir with - is for a dump of a cluster", advice="the result goes to stdout")
    class_file = (
        open_class_file(to.classes, to.report, written=not to.check) if to.classes is not None else None
    )
    with dumps.converting(inputs.files) as tick:
        context = make_context(inputs, context_words(), config.context)
        conversion = convert(inputs.files, context, options, tick)
    dumps.join(conversion)
    problems: list[DralintError] = [*inputs.problems, *dumps.problems]
    classes_change = class_file is not None and class_file.settle(conversion, problems, write=not to.check)
    problems += (
        InternalError(
            result.error, Place(result.file.file.name), "the file is left as it was; please report it"
        )
        for result in conversion.files
        if result.error
    )
    problems += _delivered(inputs, conversion, paths, to, common, dumps)
    if to.report:
        _write_report(conversion, options.target, problems, to.report)
    tell_errors(problems)
    _show(conversion, inputs, options.target, dumps.next_step or _next_step(conversion, to), common)
    if problems:
        return 2
    left = (Outcome.NEEDS_DECISION, Outcome.UNSUPPORTED)
    open_ones = any(occurrence.outcome in left for occurrence in conversion.occurrences)
    changes = to.only_shows and any(result.changed for result in conversion.files)
    changes = changes or (to.check and classes_change)
    return int(open_ones or changes)


@click.command("convert", cls=Grouped, short_help="Turn device-plugin requests into claims.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@target_options
@click.option(
    "--mode",
    type=click.Choice(["auto", "claims", "extended-resource", "implicit"]),
    default="auto",
    show_default=True,
    help="claims: each workload gets a ResourceClaimTemplate; extended-resource: the request stays, and a DeviceClass "
    "serves it; implicit: it names a DeviceClass; auto: claims, and extended-resource where a kind has no place for claims.",
)
@click.option("--write", is_flag=True, help="Change the files, each whole or not at all.")
@click.option("--check", is_flag=True, help="Only tell what would change; exit code 1 if anything would.")
@click.option(
    "--output-dir",
    metavar="DIR",
    help="Put a copy of every file under DIR, converted where there is something to convert; of a "
    "cluster's dump a file for each workload. Files of the same name there are replaced.",
)
@click.option(
    "--output-overlay",
    metavar="DIR",
    help="Leave the files alone and make a kustomize Component in DIR that does the same to a base built from "
    "them. Files there that dralint did not make are never replaced.",
)
@click.option(
    "--report",
    metavar="FILE",
    help="Write the account of every GPU request to FILE: .html and .md to read, else JSON; - is JSON to stdout, "
    "in place of the diff.",
)
@click.option(
    "--device-classes",
    metavar="FILE",
    help="Write the DeviceClasses that requests by resource name need to FILE; one that is there is completed.",
)
@sharing_option
@cluster_options
@click.option(
    "--node-labels",
    type=click.Choice(["translate", "keep", "both"]),
    default="translate",
    show_default=True,
    help="Node labels that tell which GPUs a node has: translate them into selectors of the claims, keep them, or both.",
)
@click.option(
    "--first-available",
    is_flag=True,
    help="Make alternatives of the request, the best first, of what a pod prefers of a node's GPUs.",
)
@click.option(
    "--suffix-hash",
    is_flag=True,
    help="End the names of templates in a hash of what they ask for: a changed one gets another name.",
)
@click.option(
    "--companions",
    is_flag=True,
    help="Edit what stands beside the workloads as well, where that is certain: quotas, Kueue's configuration, NVIDIA_VISIBLE_DEVICES.",
)
@click.option("--no-toleration", is_flag=True, help="Add no toleration for the taint nvidia.com/gpu.")
@common_options
def command(
    paths: tuple[str, ...],
    target: Target,
    mode: Literal["auto", "claims", "extended-resource", "implicit"],
    write: bool,
    check: bool,
    output_dir: str | None,
    output_overlay: str | None,
    report: str | None,
    device_classes: str | None,
    sharing: Literal["refuse", "exclusive", "shared-claim", "consumable"],
    cluster: Cluster,
    node_labels: Literal["translate", "keep", "both"],
    first_available: bool,
    suffix_hash: bool,
    companions: bool,
    no_toleration: bool,
    common: Common,
) -> int:
    """Turn the GPU requests of manifests into Dynamic Resource Allocation.

    Shows a diff, which git apply takes, and writes nothing unless told to. Without PATH the current
    directory is read; - reads standard input and writes the result to standard output.

    Exit code 0: nothing left to do; 1: a request needs a decision or is unsupported, or something
    would change; 2: usage, an input that cannot be read, an internal error.
    """
    from dralint.convert.options import Options

    options = Options(
        target,
        mode=mode,
        sharing=sharing,
        toleration=not no_toleration,
        node_labels=node_labels,
        first_available=first_available,
        suffix_hash=suffix_hash,
        overlay=output_overlay,
        cluster=cluster,
        companions=companions,
    )
    to = Destination(STDIN in paths, write, check, output_dir, report, device_classes, output_overlay)
    return execute(paths, options, to, common)
