"""ResourceSlices to devices: the newest generation of each pool, in every API version.

Source: k8s.io/dynamic-resource-allocation, structured/internal (pools).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from dralint.errors import Place
from dralint.inventory.device import Device, Inventory, Note
from dralint.inventory.manifests import Manifest, mapping

KIND = "ResourceSlice"
GROUP = "resource.k8s.io"
# v1alpha3 has the shape of v1beta1 with bare quantities; what came before is another model.
_VERSIONS = ("v1", "v1beta2", "v1beta1", "v1alpha3")


class _Slice(NamedTuple):
    """A slice's pool, its place, and what it says."""

    driver: str
    pool: str
    generation: int
    expected: int | None
    name: str | None
    spec: Mapping[str, Any]
    place: Place


def is_slice(manifest: Manifest) -> bool:
    """Whether it is a ResourceSlice, of whatever version."""
    return manifest.kind == KIND and manifest.api_version.partition("/")[0] == GROUP


def _integer(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _slice(manifest: Manifest) -> _Slice | Note:
    version = manifest.api_version.partition("/")[2]
    if version not in _VERSIONS:
        return Note(f"a ResourceSlice of {version or 'no version'} is not read", manifest.place)
    spec = mapping(manifest.data.get("spec"))
    pool = mapping(spec.get("pool"))
    driver, name = spec.get("driver"), pool.get("name")
    if not isinstance(driver, str) or not isinstance(name, str):
        return Note("a ResourceSlice without driver or pool is not read", manifest.place)
    generation = _integer(pool.get("generation")) or 0
    expected = _integer(pool.get("resourceSliceCount"))
    return _Slice(driver, name, generation, expected, manifest.name, spec, manifest.place)


def _newest(slices: Sequence[_Slice]) -> list[_Slice]:
    """The slices of the highest generation; one that was read twice (two files) counts once."""
    highest = max(each.generation for each in slices)
    named: dict[object, _Slice] = {}
    for number, each in enumerate(slices):
        if each.generation == highest:
            named[number if each.name is None else each.name] = each
    return list(named.values())


def _node(spec: Mapping[str, Any], device: Mapping[str, Any]) -> str | None:
    name = device.get("nodeName") or spec.get("nodeName")
    return name if isinstance(name, str) else None


def _devices(each: _Slice, notes: list[Note]) -> Iterator[Device]:
    devices = each.spec.get("devices")
    for device in devices if isinstance(devices, list) else ():
        name = mapping(device).get("name")
        if not isinstance(name, str):
            notes.append(Note(f"pool {each.pool} has a device without a name", each.place))
            continue
        basic = device.get("basic")
        held = basic if isinstance(basic, Mapping) else device
        yield Device(
            each.driver,
            each.pool,
            name,
            _node(each.spec, held),
            mapping(held.get("attributes")),
            mapping(held.get("capacity")),
            held.get("allowMultipleAllocations") is True,
        )


def _pool(slices: Sequence[_Slice], notes: list[Note]) -> list[Device]:
    """A pool's devices; notes say what keeps the scheduler from using them."""
    newest = _newest(slices)
    first = newest[0]
    found = [device for each in newest for device in _devices(each, notes)]
    pool = f"pool {first.pool} of {first.driver}"
    if first.expected is not None and len(newest) != first.expected:
        notes.append(
            Note(
                f"{pool} is not complete: {len(newest)} of {first.expected} ResourceSlices; "
                "the scheduler uses none of its devices until it sees all",
                first.place,
            )
        )
    seen: set[str] = set()
    for device in found:
        if device.name in seen:
            notes.append(
                Note(
                    f"{pool} is not valid: device {device.name} stands in it twice; the scheduler uses none of it",
                    first.place,
                )
            )
            break
        seen.add(device.name)
    return found


def from_slices(manifests: Iterable[Manifest]) -> Inventory:
    """The devices of ResourceSlices, in the order of the pools; other objects are passed over."""
    notes: list[Note] = []
    pools: dict[tuple[str, str], list[_Slice]] = {}
    for manifest in manifests:
        if not is_slice(manifest):
            continue
        found = _slice(manifest)
        if isinstance(found, Note):
            notes.append(found)
        else:
            pools.setdefault((found.driver, found.pool), []).append(found)
    devices = [device for slices in pools.values() for device in _pool(slices, notes)]
    return Inventory(devices, notes=notes)
