"""DeviceClasses, and what other classes' selectors say."""

import pytest

from dralint.nvidia.classes import Selected, device_classes, selected


def test_the_classes_of_the_driver():
    assert {name for name, each in device_classes().items() if each.gpu} == {
        "gpu.nvidia.com",
        "mig.nvidia.com",
        "vfio.gpu.nvidia.com",
    }
    assert device_classes()["gpu.nvidia.com"].extended_resource == {"standalone": "nvidia.com/gpu"}


@pytest.mark.parametrize(
    ("expressions", "expected"),
    [
        (["device.driver == 'gpu.nvidia.com'"], Selected("gpu.nvidia.com", None)),
        (['device.driver == "gpu.example.com"'], Selected("gpu.example.com", None)),
        (["device.attributes['gpu.nvidia.com'].type == 'mig'"], Selected("gpu.nvidia.com", "mig")),
        (['device.attributes["gpu.nvidia.com"]["type"] == "vfio"'], Selected("gpu.nvidia.com", "vfio")),
        (
            ["device.driver == 'gpu.nvidia.com'", "device.attributes['gpu.nvidia.com'].profile == '1g.10gb'"],
            Selected("gpu.nvidia.com", "mig", "1g.10gb"),
        ),
        (
            ["device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'"],
            Selected("gpu.nvidia.com", "gpu"),
        ),
        (
            ["device.attributes['compute-domain.nvidia.com'].type == 'channel'"],
            Selected("compute-domain.nvidia.com", "channel"),
        ),
        ([], Selected()),
        (["device.driver == 'a' || device.driver == 'gpu.nvidia.com'"], Selected()),
        (["!(device.driver == 'gpu.nvidia.com')"], Selected()),
        (["true ? device.driver == 'gpu.nvidia.com' : true"], Selected()),
        (["device.driver != 'gpu.nvidia.com'"], Selected()),
        (["device.attributes['gpu.nvidia.com'].type == 'A100'"], Selected("gpu.nvidia.com", None)),
        (["device.attributes['gpu.nvidia.com'].productName != 'x'"], Selected()),
    ],
)
def test_what_selectors_demand(expressions, expected):
    assert selected(expressions) == expected
