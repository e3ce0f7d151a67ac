"""`dralint convert`: device-plugin requests become claims, shown as a diff unless told otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import click

from dralint.cli.clusters import cluster_options, sharing_option
from dralint.cli.destination import STDIN, Destination, validate
from dralint.cli.help_text import Grouped
from dralint.cli.messages import tell, tell_errors
from dralint.cli.options import Common, common_options, target_options
from dralint.errors import DralintError, UsageError

if TYPE_CHECKING:
    from dralint.cli.class_file import ClassFile
    from dralint.cli.dump import Dumps
    from dralint.cli.inputs import Inputs
    from dralint.convert.model import Conversion
    from dralint.convert.options import Options
    from dralint.convert.sharing.cluster import Cluster
    from dralint.nvidia.target import Target


def _show(conversion: Conversion, inputs: Inputs, step: str | None, common: Common) -> None:
    """Tell on stderr what became of the requests; step: what to do next, None for nothing."""
    from dralint.cli.inputs import excluded_notes
    from dralint.report.convert_text import details, summary

    for line in details(conversion, verbose=common.verbose):
        tell(line)
    if common.quiet:
        return
    for note in excluded_notes(inputs, common.configuration):
        tell(note)
    for line in summary(conversion, files=len(inputs.sources), verbose=common.verbose):
        tell(line)
    if step:
        tell(step)


def _read(paths: Sequence[str], to: Destination, common: Common, dumps: Dumps) -> Inputs:
    """What is to be converted; raises UsageError where standard input is to become files, and is no dump."""
    from dralint.cli.inputs import read_inputs
    from dralint.convert.words import words
    from dralint.source.kustomization import NAMES

    inputs = read_inputs(
        paths,
        words=words(),
        stdin_name=common.stdin_name,
        all_sources=to.output_dir is not None,
        passed_over=to.made,
        # What comes from a pipe must go on through it.
        excluded=None if to.stdin else common.configuration.excluded,
        parts=dumps.read if to.stdin or to.output_dir else None,
        most_stdin=dumps.most_stdin if to.stdin else None,
        always=NAMES,
    )
    if to.stdin and to.output_dir and not inputs.problems and not all(map(dumps.holds, inputs.sources)):
        raise UsageError("--output-dir with - is for a dump of a cluster", advice="the result goes to stdout")
    return inputs


def _settle(
    class_file: ClassFile, data: bytes, conversion: Conversion, to: Destination
) -> list[DralintError]:
    """Write the completed file of classes, or only tell of it; what failed is returned."""
    if to.check:
        class_file.tell(conversion)
        return []
    return class_file.write(data, conversion)


def execute(paths: Sequence[str], options: Options, to: Destination, common: Common) -> int:
    """Convert and return the exit code.

    0: nothing is left to do; 1: an occurrence needs a person (see `is_open`), or --check and the diff would change
    something; 2: something could not be read or written.
    """
    validate(paths, to)
    from dralint.cli.class_file import open_class_file
    from dralint.cli.delivery import delivered, next_step, prepared, unedited, write_report
    from dralint.cli.dump import Dumps
    from dralint.cli.inputs import make_context
    from dralint.convert.convert import convert
    from dralint.convert.model import is_open
    from dralint.convert.words import context_words, words

    apart = to.output_dir is not None
    dumps = Dumps(words(), apart=apart, companions=options.companions, shown=not common.quiet)
    inputs = _read(paths, to, common, dumps)
    class_file = (
        open_class_file(to.classes, to.reports, written=not to.check) if to.classes is not None else None
    )
    with dumps.converting(inputs.files) as tick:
        context = make_context(inputs, context_words(), common.configuration.context)
        conversion = convert(inputs.files, context, options, tick)
    dumps.join(conversion)
    problems: list[DralintError] = [*inputs.problems, *dumps.problems]
    classes = class_file.completed(conversion) if class_file is not None else None
    components = prepared(inputs, conversion, paths, to, dumps)
    # From here on nothing refuses the whole run any more.
    if class_file is not None and classes is not None:
        problems += _settle(class_file, classes, conversion, to)
    problems += unedited(conversion)
    problems += delivered(inputs, conversion, to, common, dumps, components)
    for report in to.reports:
        write_report(conversion, problems, report)
    tell_errors(problems)
    step = dumps.next_step or next_step(conversion, to)
    _show(conversion, inputs, step, common)
    if problems:
        return 2
    changes = to.only_shows and any(result.changed for result in conversion.files)
    changes = changes or (to.check and classes is not None)
    return int(changes or any(map(is_open, conversion.occurrences)))


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
    "reports",
    multiple=True,
    metavar="FILE",
    help="Write the account of every GPU request to FILE: .html and .md to read, else JSON; - is JSON to stdout, "
    "in place of the diff. May be repeated.",
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
    help="Turn what a pod prefers of a node's GPUs into alternatives of the request, the best first. Without it a preference stays a preference for nodes.",
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
    reports: tuple[str, ...],
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
    directory is read; - reads standard input and writes the result to standard output. Name the
    base, the overlays and the patches of a kustomization together: they are converted together.

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
    to = Destination(STDIN in paths, write, check, output_dir, reports, device_classes, output_overlay)
    return execute(paths, options, to, common)
