"""Lazy attributes: worked out once, when they are asked for."""

from attrs import frozen

from trimfuzz.messages.lazy import lazy


@frozen(slots=False)
class Thing:
    """Counts how often its value is worked out."""

    asked: list[int]

    @lazy
    def value(self) -> int:
        """The value."""
        self.asked.append(1)
        return len(self.asked)


def test_the_value_is_worked_out_once_for_each_instance() -> None:
    """Not before it is asked for, and not again."""
    one, other = Thing([]), Thing([5, 5])
    assert one.asked == []
    assert (one.value, one.value, other.value, one.value) == (1, 1, 3, 1)
    assert one.asked == [1]


def test_what_is_kept_is_no_part_of_the_instance() -> None:
    """Equality looks at the fields."""
    one, other = Thing([]), Thing([])
    assert one == other
    assert one.value == 1
    assert one == Thing([1])


def test_the_class_shows_the_attribute_and_its_documentation() -> None:
    """For whoever reads the documentation."""
    assert isinstance(Thing.value, lazy)
    assert Thing.value.__doc__ == "The value."
