"""Words that several rooms need to say a thing in a sentence."""


def a_kind(value: object) -> str:
    """Say what kind of thing a value is: `None`, `an int`, `a module`."""
    kind = type(value).__name__
    return "None" if value is None else f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}"
