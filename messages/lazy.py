"""An attribute that is worked out when it is first asked for, and then kept.

The standard library's `cached_property` takes a lock for every first use in Python 3.11, which costs more than most of
what is cached here. Nothing here is shared between threads.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class lazy(Generic[Value]):
    """Decorate a method without arguments: its value is kept in the instance's `__dict__` under its name."""

    def __init__(self, work: Callable[[Any], Value]) -> None:
        self.work = work
        self.name = work.__name__
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> "lazy[Value]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...
    def __get__(self, instance: Any, owner: type) -> "lazy[Value] | Value":
        if instance is None:
            return self
        value = instance.__dict__[self.name] = self.work(instance)
        return value
