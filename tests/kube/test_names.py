"""Names that Kubernetes allows, and shortening."""

from __future__ import annotations

import hashlib

import pytest

from dralint.kube.names import digest, is_dns_label, is_dns_subdomain, shorten


@pytest.mark.parametrize("name", ["a", "0", "gpu-1", "a--b", "a" * 63])
def test_labels(name):
    assert is_dns_label(name)
    assert is_dns_subdomain(name)


@pytest.mark.parametrize(
    "name", ["", "-a", "a-", "A", "a_b", "a.b", "a/b", "a b", "ä", "a\n", "1g.10gb", "a" * 64]
)
def test_no_labels(name):
    assert not is_dns_label(name)


@pytest.mark.parametrize("name", ["a.b", "gpu.nvidia.com", "1.2", ("a" * 63 + ".") * 3 + "a" * 61])
def test_subdomains(name):
    assert is_dns_subdomain(name)


@pytest.mark.parametrize("name", ["", ".a", "a.", "a..b", "a.-b", "a_b", "A.b", "a" * 254, "a.b\n"])
def test_no_subdomains(name):
    assert not is_dns_subdomain(name)


def test_short_names_stay():
    assert shorten("a" * 63) == "a" * 63


def test_long_names():
    name = "b" * 64
    assert shorten(name) == "b" * 54 + "-" + hashlib.sha256(name.encode()).hexdigest()[:8]
    assert len(shorten(name)) == 63


def test_different_long_names_stay_different():
    assert shorten("c" * 80) != shorten("c" * 81)


def test_a_dash_before_the_dash_stays():
    name = "d" * 53 + "-" + "e" * 20
    assert shorten(name) == "d" * 53 + "--" + digest(name)
    assert is_dns_label(shorten(name))


def test_no_dot_before_the_dash():
    name = "d" * 53 + "." + "e" * 20
    assert shorten(name) == "d" * 53 + "-" + digest(name)
    assert is_dns_subdomain(shorten(name))


@pytest.mark.parametrize("length", range(50, 75))
@pytest.mark.parametrize("sign", "-.")
@pytest.mark.parametrize("place", range(50, 56))
def test_the_short_form_of_a_valid_name_is_valid(length, sign, place):
    name = ("g" * place + sign + "h" * 80)[:length].rstrip("-.")
    assert is_dns_subdomain(shorten(name))
    assert len(shorten(name)) <= 63


def test_another_limit():
    assert shorten("f" * 30, 20) == "f" * 11 + "-" + digest("f" * 30)
