"""`--help` of the commands with many options: under headings, in the order in which a reader asks."""

from __future__ import annotations

import click

# Every option of these commands stands under one of the headings; tests/cli/test_help_text.py holds them to it.
HEADINGS = (
    ("Where the result goes", ("--write", "--check", "--output-dir", "--output-overlay", "--device-classes", "--report")),
    ("What becomes of a request", ("--mode", "--sharing", "--node-labels", "--first-available", "--companions",
                                   "--suffix-hash", "--no-toleration")),
    ("What is read", ("--claims", "--inventory", "--context", "--complete", "--stdin-filename")),
    ("Which rules run", ("--select", "--ignore", "--rules", "--migration")),
    ("Which findings count", ("--fail-on", "--base", "--baseline", "--write-baseline")),
    ("What to mend", ("--fix", "--unsafe-fixes", "--diff")),
    ("What the manifests run on", ("--target-kubernetes", "--dra-driver", "--gpu-driver", "--stack", "--gate",
                                   "--device-plugin-config", "--mig-config")),
    ("What is shown", ("--output-format", "--sarif-category", "--statistics", "--quiet", "--verbose", "--color")),
    ("Besides", ("--config", "--no-config", "--engine", "--help")),
)  # fmt: skip


class Grouped(click.Command):
    """A command whose help has the options under HEADINGS; one that has none there stands under the last."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the options of the command, heading by heading."""
        left = {
            parameter.opts[-1]: record
            for parameter in self.get_params(ctx)
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx))
        }
        for heading, names in HEADINGS:
            records = [left.pop(name) for name in names if name in left]
            if heading == HEADINGS[-1][0]:
                records += left.values()
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)
