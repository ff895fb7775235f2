"""Targets: what somebody names on the command line becomes a trimmer, or one clear line."""

import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from trimfuzz.campaigns.target.resolve import resolve
from trimfuzz.campaigns.target.spec import Spec
from trimfuzz.campaigns.target.target import load_object, load_target
from trimfuzz.implementations.running import run
from trimfuzz.implementations.trimmer import Trimmer
from trimfuzz.messages.cases import Case, Example
from trimfuzz.messages.errors import BadName, BadTarget, TrimfuzzError
from trimfuzz.messages.formats.counting import native_count
from trimfuzz.messages.limits import Limit, LimitKind
from trimfuzz.messages.model import History, Message

TALK = tuple(Message(role, f"text {index}") for index, role in enumerate(("user", "assistant") * 3))

Write = Callable[..., str]


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Write a file and name an object in it; what it imports is forgotten afterwards."""
    monkeypatch.setattr(sys, "path", [*sys.path])

    def write(source: str, name: str = "trim", file: str = "mine.py") -> str:
        (tmp_path / file).write_text(textwrap.dedent(source), "utf-8")
        return f"{tmp_path / file}:{name}"

    yield write
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


def kept(trimmer: Trimmer, limit: int | Limit | None, history: History = TALK) -> list[int] | str:
    """Run a trimmer once; return the input indexes that came back, or how it ended."""
    given = Limit(trimmer.limits[0], limit) if isinstance(limit, int) else limit
    outcome = run(trimmer, Case(Example(history), given), count=native_count(trimmer.format))
    if outcome.output is None:
        return outcome.status
    assert outcome.sources is not None
    return [-1 if source is None else source for source in outcome.sources]


def error_of(text: str, **options: Any) -> str:
    """Return the one line that a bad target is refused with."""
    with pytest.raises(TrimfuzzError) as caught:
        load_target(text, **options)
    line = str(caught.value)
    assert "\n" not in line
    return line


class TestFunctions:
    """A function is called by its signature."""

    @pytest.mark.parametrize(
        ("source", "kind", "note"),
        [
            ("def trim(messages, limit): return messages[-limit:]", "messages", "limit messages (assumed)"),
            ("def trim(m, n): return m[-n:]", "messages", "limit messages (assumed)"),
            (
                "def trim(messages, max_messages): return messages[-max_messages:]",
                "messages",
                "limit messages (from the parameter name max_messages)",
            ),
            (
                "def trim(messages, *, max_turns): return messages[-max_turns:]",
                "turns",
                "limit turns (from the parameter name max_turns)",
            ),
            (
                "def trim(messages, max_tokens=9): return messages[-max_tokens:]",
                "tokens",
                "limit tokens (from the parameter name max_tokens)",
            ),
            (
                "def trim(messages, model='x', token_limit=9): return messages[-token_limit:]",
                "tokens",
                "limit tokens (from the parameter name token_limit)",
            ),
            ("def trim(messages, keep_system=True, limit=9): return messages[-limit:]", "messages", "limit messages"),
            (
                "def trim(messages, limit, count): return messages[-limit:]",
                "tokens",
                "limit tokens (it takes a counter)",
            ),
            ("def trim(m, f, limit): return m[-limit:] if f(m) else m", "tokens", "parameter f is given the counter"),
            (
                "def trim(m, last_user=None, size=9): return m[-size:] if last_user is None else m",
                "messages",
                "limit m",
            ),
            ("async def trim(messages, limit): return messages[-limit:]", "messages", "limit messages (assumed)"),
            ("def trim(*args): return args[0][-args[1]:]", "messages", "its signature cannot be read"),
        ],
    )
    def test_limit_is_found_by_name_or_place(self, target: Write, source: str, kind: str, note: str) -> None:
        """The limit is passed to the parameter that is named like one; what it counts is guessed, and said."""
        trimmer, notes = load_target(target(source))
        assert trimmer.limits == (kind,)
        assert any(one.startswith(note) for one in notes), notes
        assert kept(trimmer, 2) == [4, 5]

    def test_said_limit_is_not_guessed(self, target: Write) -> None:
        """An explicit kind wins over the parameter's name, and chooses between two limits."""
        assert load_target(target("def trim(m, max_tokens): return m"), limit="messages")[0].limits == ("messages",)
        both = target("def trim(m, max_tokens=99, max_messages=2): return m[-max_messages:]", file="both.py")
        assert kept(load_target(both, limit="messages")[0], 3) == [3, 4, 5]

    def test_counter_counts_items_and_lists(self, target: Write) -> None:
        """The counter that is handed over takes one message or a list of them."""
        source = """
            def trim(messages, max_tokens, token_counter):
                assert token_counter(messages) == sum(map(token_counter, messages))
                return messages[-1:]
            """
        assert kept(load_target(target(source))[0], 50) == [5]

    def test_messages_alone_has_a_fixed_or_unknown_window(self, target: Write) -> None:
        """Without a limit parameter the window is named by the option, else unknown."""
        text = target("def trim(messages): return messages[-4:]")
        unknown, notes = load_target(text)
        assert (unknown.takes_limit, unknown.fixed) == (False, None)
        assert any("limit unknown" in note and "--limit messages=40" in note for note in notes)
        fixed, notes = load_target(text, limit="messages", fixed=4)
        assert (fixed.takes_limit, fixed.fixed) == (False, 4)
        assert "limit messages=4 (fixed)" in notes
        assert kept(fixed, 4) == [2, 3, 4, 5]

    def test_fixed_limit_of_a_function_that_takes_one(self, target: Write) -> None:
        """`--limit messages=2` on a function with a limit tries that limit alone."""
        trimmer, notes = load_target(target("def trim(messages, limit): return messages[-limit:]"), fixed=2)
        assert (trimmer.takes_limit, trimmer.fixed) == (False, 2)
        assert any("the only one tried" in note for note in notes)
        assert kept(trimmer, 2) == [4, 5]

    def test_compaction_hands_over_index_and_length(self, target: Write) -> None:
        """For a compaction the limit has an index and a length."""
        source = "def trim(messages, limit): return messages[limit.index:] if limit.length == 6 else []"
        trimmer, _ = load_target(target(source), limit="compaction")
        assert kept(trimmer, Limit("compaction", 4, 6)) == [4, 5]

    def test_what_cannot_be_filled_is_said(self, target: Write) -> None:
        """Parameters that are neither messages, limit nor counter are named, with the way to fill them."""
        line = error_of(target("def trim(messages, limit, count, model, *, config): pass"))
        assert "model, config" in line
        assert "--call" in line
        assert "has no parameter" in error_of(target("def trim(): pass", file="none.py"))

    def test_any_iterable_is_an_answer(self, target: Write) -> None:
        """A generator and a tuple are read as lists; None and a number are not."""
        generator = target("def trim(m, n):\n    yield from m[-n:]")
        assert kept(load_target(generator)[0], 2) == [4, 5]
        assert kept(load_target(target("def trim(m, n): return tuple(m[-n:])", file="t.py"))[0], 2) == [4, 5]
        assert kept(load_target(target("def trim(m, n): return 7", file="n.py"))[0], 2) == "protocol-error"


class TestInPlace:
    """A trimmer that changes the caller's list."""

    SOURCE = "def trim(messages, limit):\n    del messages[:max(len(messages) - limit, 0)]"

    def test_recognised_by_none_and_a_changed_list(self, target: Write) -> None:
        """None with a changed list is the list afterwards, and the report says so."""
        trimmer, notes = load_target(target(self.SOURCE))
        assert trimmer.in_place
        assert any(note.startswith("works in place (it returned None") for note in notes)
        assert kept(trimmer, 2) == [4, 5]

    def test_async_is_recognised(self, target: Write) -> None:
        """An async function is awaited before its list is looked at."""
        assert load_target(target("async " + self.SOURCE))[0].in_place

    @pytest.mark.parametrize(
        "body", ["return None", "del messages[:1]; return messages", "messages.clear(); raise KeyError"]
    )
    def test_not_recognised(self, target: Write, body: str) -> None:
        """None without a change, a list beside a change, and an error say nothing about working in place."""
        assert not load_target(target(f"def trim(messages, limit):\n    {body}"))[0].in_place

    @pytest.mark.slow
    def test_hang_is_left_for_the_check(self, target: Write) -> None:
        """A trimmer that never answers is loaded all the same; the check will find it."""
        assert not load_target(target("def trim(messages, limit):\n    while True: pass"))[0].in_place

    def test_declared(self, target: Write) -> None:
        """The option declares it."""
        trimmer, notes = load_target(target("def trim(messages, limit): pass"), in_place=True)
        assert trimmer.in_place
        assert "works in place (declared)" in notes


class TestMemories:
    """A class with add and view: a new object for each case."""

    @pytest.mark.parametrize(
        "source",
        [
            """
            class Memory:
                def __init__(self, max_messages): self.size, self.held = max_messages, []
                def add(self, message): self.held.append(message)
                def view(self): return self.held[-self.size:]
            """,
            """
            class Memory:
                held = None
                def __init__(self, capacity=100): self.held, self.capacity = [], capacity
                def add(self, message):
                    self.held.append(message)
                    assert len(self.held) <= self.capacity
                def view(self, limit): return self.held[-limit:]
            """,
            """
            class Memory:
                def __init__(self): self.held = []
                async def add(self, message): self.held.append(message)
                async def view(self, limit): return self.held[-limit:]
            """,
        ],
    )
    def test_limit_goes_to_the_constructor_or_the_view(self, target: Write, source: str) -> None:
        """`Class(limit)` with `view()`, or `Class()` with `view(limit)`; nothing is left over from the case before."""
        trimmer, notes = load_target(target(source, "Memory"))
        assert "a memory: one new object for each case" in notes
        assert kept(trimmer, 2) == [4, 5]
        assert kept(trimmer, 3) == [3, 4, 5]

    def test_an_object_is_refused(self, target: Write) -> None:
        """One object would carry messages from case to case."""
        source = "class M:\n    def add(self, m): ...\n    def view(self): ...\nmemory = M()"
        assert "every case needs a new one" in error_of(target(source, "memory"))

    def test_other_classes_are_refused(self, target: Write) -> None:
        """A class without add and view is told how to be called."""
        line = error_of(target("class Trimmer:\n    def trim(self, m): ...", "Trimmer"))
        assert "without add and view" in line
        assert "--call" in line


class TestCompactors:
    """An object, class or module with plan and apply."""

    SOURCE = """
        class Compactor:
            def plan(self, messages, max_messages): return len(messages) - max_messages
            def apply(self, messages, plan): return messages[plan:]
        ready = Compactor()
        """

    @pytest.mark.parametrize("name", ["Compactor", "ready"])
    def test_class_and_object(self, target: Write, name: str) -> None:
        """The plan is made from the messages and the limit, then applied."""
        trimmer, notes = load_target(target(self.SOURCE, name))
        assert "limit messages (from the parameter name max_messages)" in notes
        assert kept(trimmer, 2) == [4, 5]

    def test_module(self, target: Write) -> None:
        """A file with plan and apply is named without a colon."""
        text = target("def plan(messages, limit): return -limit\ndef apply(messages, plan): return messages[plan:]")
        assert kept(load_target(text.removesuffix(":trim"))[0], 2) == [4, 5]

    def test_plan_sees_what_was_there(self, target: Write) -> None:
        """A plan for a compaction point is made from the history as long as it was then."""
        source = "def plan(messages, limit): return len(messages)\ndef apply(messages, plan): return messages[plan:]"
        trimmer, _ = load_target(target(source).removesuffix(":trim"), limit="compaction")
        assert kept(trimmer, Limit("compaction", 2, 4)) == [4, 5]


class TestCallExpressions:
    """Any other signature, by an expression."""

    SOURCE = """
        class Config:
            def __init__(self, size): self.size = size
        def fit(config, messages): return messages[-config.size:]
        class Window:
            def __init__(self, n): self.n = n
            def trim(self, messages): return messages[-self.n:]
        """

    @pytest.mark.parametrize(
        ("name", "call"),
        [
            ("fit", "f(Config(limit), messages)"),
            ("fit", "fit(config=Config(size=limit), messages=messages)"),
            ("Window", "f(limit).trim(messages)"),
            ("fit", "list(f(Config(limit), [m for m in messages if count(m) > 0]))"),
        ],
    )
    def test_expression_is_evaluated(self, target: Write, name: str, call: str) -> None:
        """The target stands there as f or under its name, beside the names of its module."""
        trimmer, notes = load_target(target(self.SOURCE, name), call=call, limit="messages")
        assert f"called as {call}" in notes
        assert kept(trimmer, 2) == [4, 5]

    def test_kind_comes_from_the_keyword(self, target: Write) -> None:
        """`max_tokens=limit` says that the limit counts tokens."""
        text = target("def trim(messages, **options): return messages")
        trimmer, notes = load_target(text, call="f(messages, max_tokens=limit, token_counter=count)")
        assert trimmer.limits == ("tokens",)
        assert "limit tokens (from the parameter name max_tokens)" in notes

    @pytest.mark.parametrize(
        ("call", "words"),
        [
            ("f(messages", "is no Python expression"),
            ("f(limit)", "does not use messages"),
            ("len(messages)", "does not use the target"),
            ("f(messages, budget)", "'budget' is not known"),
        ],
    )
    def test_bad_expressions(self, target: Write, call: str, words: str) -> None:
        """What cannot work is said before anything runs."""
        assert words in error_of(target("def trim(messages, limit): return messages"), call=call)


class TestFormats:
    """The format is said, declared, or read from an annotation."""

    def test_openai_is_assumed(self, target: Write) -> None:
        """Without a word messages are OpenAI dicts."""
        trimmer, notes = load_target(target("def trim(messages: list[dict], limit: int): return messages"))
        assert trimmer.format.name == "openai-chat"
        assert "format openai-chat (assumed)" in notes

    def test_annotation_of_the_message_model(self, target: Write) -> None:
        """A function of trimfuzz's own messages is handed them."""
        source = """
            from trimfuzz.messages.model import Message
            def trim(messages: list[Message], limit: int) -> list[Message]: return messages
            """
        trimmer, notes = load_target(target(source))
        assert trimmer.format.name == "neutral"
        assert "format neutral (from the annotation Message)" in notes

    @pytest.mark.slow
    def test_format_of_an_adapter(self, target: Write) -> None:
        """A format that an adapter brings is known by name, and by its class in an annotation."""
        pytest.importorskip("langchain_core")
        source = """
            from langchain_core.messages import BaseMessage
            def trim(messages: list[BaseMessage], limit: int) -> list[BaseMessage]: return messages[-limit:]
            """
        trimmer, notes = load_target(target(source))
        assert trimmer.format.name == "langchain-core"
        assert "format langchain-core (from the annotation BaseMessage)" in notes
        assert kept(trimmer, 2) == [4, 5]
        plain = target("def trim(messages, limit): return messages", file="plain.py")
        assert load_target(plain, format="langchain-core")[0].format.name == "langchain-core"

    @pytest.mark.parametrize(
        ("provider", "expected"),
        [
            ("anthropic", "anthropic (from --provider)"),
            ("anthropic@4.5", "anthropic (from --provider)"),
            ("gemini@3", "gemini (from --provider)"),
            ("bedrock", "bedrock (from --provider)"),
            ("openai-responses", "openai-responses (from --provider)"),
            ("ai-sdk", "ai-sdk (from --provider)"),
            ("mistral", "openai-chat (assumed)"),
            ("neutral", "openai-chat (assumed)"),
            ("strict", "openai-chat (assumed)"),
        ],
    )
    def test_a_provider_means_its_format(self, target: Write, provider: str, expected: str) -> None:
        """Where there is one of its name, and nothing else says which."""
        text = target("def trim(messages, limit): return messages")
        made = resolve(Spec(text, provider=provider))
        assert made.trimmer.format.name == expected.partition(" ")[0]
        assert f"format {expected}" in made.notes
        assert made.pack.name == provider

    def test_what_else_says_the_format_counts_more_than_the_provider(self, target: Write) -> None:
        """An option, a declaration, an annotation."""
        plain = target("def trim(messages, limit): return messages")
        declared = target(
            "import trimfuzz\n@trimfuzz.trimmer(format='openai-chat')\ndef trim(messages, limit): return messages",
            file="declared.py",
        )
        annotated = target(
            "from trimfuzz.messages.model import Message\ndef trim(messages: list[Message], n): return messages",
            file="annotated.py",
        )
        assert load_target(plain, format="openai-chat", provider="anthropic")[0].format.name == "openai-chat"
        assert load_target(declared, provider="anthropic")[0].format.name == "openai-chat"
        assert load_target(annotated, provider="anthropic")[0].format.name == "neutral"

    def test_unknown_format(self, target: Write) -> None:
        """An unknown format is refused with the known ones."""
        assert "known: neutral, openai-chat" in error_of(target("def trim(m, n): return m"), format="yaml")


class TestDeclarations:
    """`trimfuzz.trimmer` declares in code; options on the command line win."""

    SOURCE = """
        import trimfuzz
        class TooSmall(Exception): pass
        @trimfuzz.trimmer(name="mine", format="neutral", limit="tokens", promises=["keeps-system", "utilisation=0.5"],
                          refuses=[TooSmall], in_place=True)
        def trim(messages, limit): return messages
        @trimfuzz.trimmer
        def plain(messages, limit): return messages
        @trimfuzz.trimmer(limit="messages=4")
        def fixed(messages): return messages[-4:]
        """

    def test_everything_declared(self, target: Write) -> None:
        """What is declared is neither guessed nor assumed."""
        pytest.importorskip("trimfuzz.oracles.rules.registry")
        trimmer, notes = load_target(target(self.SOURCE))
        assert (trimmer.name, trimmer.format.name, trimmer.limits) == ("mine", "neutral", ("tokens",))
        assert trimmer.promises == {"keeps-system": 1.0, "utilisation": 0.5}
        assert (trimmer.bare, trimmer.in_place) == (False, True)
        assert [error.__name__ for error in trimmer.refuses] == ["TooSmall"]
        assert "format neutral (declared)" in notes
        assert load_target(target(self.SOURCE), limit="messages", format="openai-chat")[0].limits == ("messages",)

    def test_nothing_declared(self, target: Write) -> None:
        """A bare decorator leaves everything to be guessed; a fixed window can be declared alone."""
        assert load_target(target(self.SOURCE, "plain"))[0].bare
        assert load_target(target(self.SOURCE, "fixed"))[0].fixed == 4

    def test_unknown_promise(self, target: Write) -> None:
        """A misspelt promise is refused."""
        pytest.importorskip("trimfuzz.oracles.rules.registry")
        source = "import trimfuzz\n@trimfuzz.trimmer(promises=['keeps-sytem'])\ndef trim(m, n): return m"
        with pytest.raises(BadName, match="unknown promise 'keeps-sytem'"):
            load_target(target(source))


class TestRefusals:
    """`--refuses` names the errors that mean "nothing legal fits"."""

    SOURCE = """
        class TooSmall(Exception): pass
        def trim(messages, limit): raise TooSmall("no")
        """

    @pytest.mark.parametrize("name", ["TooSmall", "builtins:KeyError"])
    def test_named(self, target: Write, name: str) -> None:
        """A class of the target's own module needs no module name."""
        trimmer, _ = load_target(target(self.SOURCE), refuses=(name,))
        assert kept(trimmer, 2) == ("refused" if name == "TooSmall" else "raised")

    def test_unknown(self, target: Write) -> None:
        """What is no exception class is refused."""
        assert "has no such error" in error_of(target(self.SOURCE), refuses=("TooLarge",))
        assert "not an exception class" in error_of(target(self.SOURCE), refuses=("trim",))


class TestErrors:
    """Every way in which a target cannot be found or imported is one line that says what to do."""

    def test_missing_file(self, target: Write, tmp_path: Path) -> None:
        """A close file name is offered."""
        target("def trim(m, n): return m", file="trimmer.py")
        line = error_of(f"{tmp_path / 'trimer.py'}:trim")
        assert line.startswith("no such file: ")
        assert f"did you mean {tmp_path / 'trimmer.py'}?" in line

    def test_missing_module(self) -> None:
        """A module that is not installed is told from one that fails."""
        assert error_of("no_such_package.trim:f").startswith("no module named 'no_such_package'")
        assert error_of("trimfuzz.no_such:f").startswith("no module named 'trimfuzz.no_such'")

    def test_missing_name(self, target: Write) -> None:
        """Close names are offered, else those that the file defines."""
        source = "import os\ndef trim_messages(m, n): return m"
        assert "did you mean trim_messages?" in error_of(target(source, "trim_mesages"))
        line = error_of(target(source, "zzz"))
        assert "has no 'zzz'" in line
        assert line.endswith("(it has trim_messages)")

    def test_not_callable(self, target: Write) -> None:
        """A constant is no trimmer."""
        assert "is an int, not a function" in error_of(target("LIMIT = 4", "LIMIT"))

    def test_file_without_a_name(self, target: Write) -> None:
        """A file alone is asked which function of it is meant."""
        text = target("def trim(m, n): return m\ndef other(m, n): return m").removesuffix(":trim")
        line = error_of(text)
        assert f"{text}:trim" in line
        assert "(it has trim, other)" in line

    @pytest.mark.parametrize(
        ("source", "words"),
        [
            ("x = 1\ndef trim(m n): pass", "mine.py, line 2: invalid syntax"),
            ("x = 1\n\n1 / 0", "ZeroDivisionError: division by zero (mine.py, line 3)"),
            ("import no_such_package", "ModuleNotFoundError: No module named 'no_such_package' (mine.py, line 1)"),
            ("raise SystemExit(3)", "SystemExit: 3 (mine.py, line 1)"),
            ("from . import sibling", "ImportError: attempted relative import"),
        ],
    )
    def test_error_inside_the_file(self, target: Write, source: str, words: str) -> None:
        """An error while the file runs is named with its line."""
        line = error_of(target(source))
        assert "cannot be imported" in line
        assert words in line

    def test_failing_file_is_not_half_imported(self, target: Write) -> None:
        """A file that failed once is run again, not found half-made in sys.modules."""
        text = target("def trim(m, n): return m\n1 / 0")
        error_of(text)
        assert "mine" not in sys.modules
        assert "ZeroDivisionError" in error_of(text)


class TestImports:
    """Files are imported as Python would import them."""

    def test_siblings_and_standard_names(self, target: Write) -> None:
        """A file may import its neighbour, and may be called like a module of the standard library."""
        target("LIMIT = 2", file="settings.py")
        text = target("from settings import LIMIT\ndef trim(messages): return messages[-LIMIT:]", file="queue.py")
        assert kept(load_target(text)[0], None) == [4, 5]
        import queue

        assert hasattr(queue, "Queue")
        assert kept(load_target(target("def trim(messages): return messages[-1:]", file="sched.py"))[0], None) == [5]
        assert "sched" not in sys.modules  # whoever needs Python's own will get it

    def test_file_inside_a_package(self, target: Write, tmp_path: Path) -> None:
        """Relative imports work in a file that is named by its path."""
        (tmp_path / "inside").mkdir()
        (tmp_path / "inside" / "__init__.py").write_text("")
        (tmp_path / "inside" / "sizes.py").write_text("SIZE = 2")
        (tmp_path / "inside" / "trims.py").write_text("from .sizes import SIZE\ndef trim(m): return m[-SIZE:]")
        assert kept(load_target(f"{tmp_path / 'inside' / 'trims.py'}:trim")[0], None) == [4, 5]

    def test_method_of_a_class(self, target: Write) -> None:
        """A dotted name reaches into a class."""
        source = "class Box:\n    @staticmethod\n    def trim(messages, limit): return messages[-limit:]"
        assert kept(load_target(target(source, "Box.trim"))[0], 2) == [4, 5]

    def test_object_for_counters(self, target: Write) -> None:
        """`load_object` returns any object, a counter for example."""
        assert load_object(target("def words(m): return 3", "words"))({}) == 3

    @pytest.mark.parametrize("text", ["", ":trim", " :trim"])
    def test_empty_names(self, text: str) -> None:
        """A target without a place names nothing."""
        with pytest.raises(BadTarget, match="names nothing"):
            load_object(text)


def test_kinds_of_limit_are_checked() -> None:
    """A kind of limit that does not exist is refused."""
    kind: Any = "bytes"
    unknown: LimitKind = kind
    assert "unknown limit 'bytes'" in error_of("json:dumps", limit=unknown)
