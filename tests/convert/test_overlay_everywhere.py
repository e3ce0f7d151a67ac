"""A component for every example and public manifest: real kustomize builds what --write makes of the files."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.kustomize import BuildError

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
BEFORE = sorted(EXAMPLES.glob("*/before.*"))


def bases(files: list[Path], tree: Path) -> list[Path]:
    """A directory with a kustomization for each file."""
    made = []
    for number, file in enumerate(files):
        base = tree / f"base-{number}"
        base.mkdir(parents=True)
        (base / file.name).write_bytes(file.read_bytes())
        (base / "kustomization.yaml").write_text(f"resources: [{json.dumps(file.name)}]\n")
        made.append(base)
    return made


def converted(dralint, report: Path, *arguments: str | Path) -> Counter[str]:
    """How many requests of each base were converted."""
    ran = dralint("convert", "--quiet", "--sharing", "exclusive", "--report", report, *arguments)
    assert ran.code in (0, 1), ran.err
    found = json.loads(report.read_bytes())["occurrences"]
    return Counter(Path(each["path"]).parent.name for each in found if each["outcome"] == "converted")


def contents(tree: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()}


def compare(files: list[Path], folder: Path, dralint, kustomize) -> tuple[int, dict[str, str]]:
    """How many bases come out the same in both ways, and of those that a component does nothing for what kustomize says."""
    tree, dra = folder / "tree", folder / "dra"
    made = bases(files, tree)
    before = contents(tree)
    in_component = converted(dralint, folder / "component.json", "--output-overlay", dra, tree)
    assert contents(tree) == before
    built = {}
    for base in made:
        component = dra / base.name
        assert component.is_dir() == bool(in_component[base.name]), base
        if component.is_dir():
            new = folder / "new" / base.name
            new.mkdir(parents=True)
            (new / "kustomization.yaml").write_text(
                f"resources: [../../tree/{base.name}]\ncomponents: [../../dra/{base.name}]\n"
            )
            built[base] = kustomize.build(new)
    in_place = converted(dralint, folder / "in-place.json", "--write", tree)
    refused = {}
    for base, file in zip(made, files, strict=True):
        if base in built:
            assert in_component[base.name] == in_place[base.name], file
            assert kustomize.build(base) == built[base], file
        elif in_place[base.name]:
            with pytest.raises(BuildError) as error:
                kustomize.build(base)
            refused[file.name] = str(error.value)
    return len(built), refused


def test_examples(tmp_path, dralint, kustomize):
    same, refused = compare(BEFORE, tmp_path, dralint, kustomize)
    assert same == len(BEFORE) - len(refused)
    # Kueue's configuration has no name.
    assert all("missing metadata.name" in error for error in refused.values())
    assert len(refused) < 3


@pytest.mark.slow
def test_corpus(shared, tmp_path, dralint, kustomize):
    files = [
        path for path in sorted((shared / "corpus").rglob("*")) if path.suffix in (".yaml", ".yml", ".json")
    ]
    same, refused = compare(files, tmp_path, dralint, kustomize)
    shutil.rmtree(tmp_path)
    assert same > 150
    # Objects with a generateName only.
    assert [name for name, error in refused.items() if "missing metadata.name" not in error] == []
    assert len(refused) < 5
