"""The pytest plugin: in everybody's runs, and in nobody's way."""

import subprocess
import sys

import pytest

from trimfuzz.campaigns.pytest.plugin import OPTIONS

pytest_plugins = ["pytester"]

CONFTEST = """
def pytest_addoption(parser):
    for name in ("limit", "format", "provider", "promise", "count", "call", "inputs", "marks"):
        parser.addoption(f"--{name}", dest=f"own_{name}", default=None)
"""

PACKAGES = ("trimfuzz", "trimfuzz.campaigns", "trimfuzz.campaigns.pytest")


def test_plugin_imports_nothing_heavy() -> None:
    """Loading the plugin loads no other module of ours, and none of our dependencies."""
    script = (
        "import sys, pytest; before = set(sys.modules); import trimfuzz.campaigns.pytest.plugin;"
        "print(*sorted(set(sys.modules) - before))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert ran.stdout.split() == [
        "trimfuzz",
        "trimfuzz.campaigns",
        "trimfuzz.campaigns.pytest",
        "trimfuzz.campaigns.pytest.plugin",
    ]


@pytest.mark.slow
def test_ordinary_runs_load_no_more_of_us(pytester: pytest.Pytester) -> None:
    """In a run that has nothing to do with trimmers, the plugin is all that there is of trimfuzz."""
    pytester.makepyfile(
        """
        import sys

        def test_loaded():
            ours = sorted(name for name in sys.modules if name.split(".")[0] == "trimfuzz")
            assert ours[:-1] == ["trimfuzz", "trimfuzz.campaigns", "trimfuzz.campaigns.pytest"]
            assert ours[-1] == "trimfuzz.campaigns.pytest.plugin"
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


@pytest.mark.slow
def test_short_options_do_not_exist_in_ordinary_runs(pytester: pytest.Pytester) -> None:
    """Nobody can mistype an option of another plugin into one of ours."""
    pytester.makepyfile("def test_nothing(): pass")
    ran = pytester.runpytest_inprocess("--limit=tokens")

    assert ran.ret == pytest.ExitCode.USAGE_ERROR
    ran.stderr.fnmatch_lines(["*unrecognized arguments: --limit=tokens"])


@pytest.mark.slow
@pytest.mark.parametrize("given", [[], ["--trimmer", "mine:trim"]], ids=["ordinary", "with --trimmer"])
def test_other_people_may_use_the_same_words(pytester: pytest.Pytester, given: list[str]) -> None:
    """A conftest that has options of these names keeps them, also in a run with `--trimmer`."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(
        """
        def test_options(request):
            assert request.config.getoption("own_limit") == "theirs"
            assert request.config.getoption("trimfuzz_limit", None) is None
        """
    )
    pytester.runpytest_inprocess("--limit", "theirs", *given).assert_outcomes(passed=1)


@pytest.mark.slow
def test_short_and_long_options_say_the_same(pytester: pytest.Pytester) -> None:
    """In a run with `--trimmer` each option can be given either way, and again and again where it is a list."""
    pytester.makepyfile(
        """
        def test_options(request):
            get = request.config.getoption
            assert get("trimfuzz_target") == "mine:trim"
            assert get("trimfuzz_limit") == "tokens"
            assert get("trimfuzz_format") == "neutral"
            assert get("trimfuzz_promise") == ["keeps-system", "utilisation=0.5"]
            assert get("trimfuzz_in_place") is True
            assert get("trimfuzz_no_promise") is None
        """
    )
    ran = pytester.runpytest_inprocess(
        "--trimmer", "mine:trim", "--limit", "tokens", "--trimmer-format", "neutral", "--promise", "keeps-system",
        "--trimmer-promise", "utilisation=0.5", "--in-place",
    )  # fmt: skip

    ran.assert_outcomes(passed=1)


@pytest.mark.slow
def test_help_lists_every_option(pytester: pytest.Pytester) -> None:
    """What can be said about a target stands in the help, under a heading of its own."""
    ran = pytester.runpytest_inprocess("--help")

    ran.stdout.fnmatch_lines(["context trimmers*"])
    for name in OPTIONS:
        ran.stdout.fnmatch_lines([f"*--trimmer-{name}*"])
