"""The tests do not depend on how fast the machine is."""

from __future__ import annotations

from hypothesis import HealthCheck, settings


def test_no_property_is_timed() -> None:
    assert settings().deadline is None
    assert HealthCheck.too_slow in settings().suppress_health_check
