"""JSON as the standard writes it: no NaN, no key twice, no number beyond measure, no half characters.

Python's own decoder lets all of these through, and each of them would make a board mean something else than
the person who wrote it thinks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from scoring.core import Malformed

EXCERPT_LENGTH = 40
"""How much of somebody's file an error message may quote, in characters."""


class NotJson(Malformed):
    """The text is not JSON. `line` counts from 1 within the text that was given."""

    def __init__(self, code: str, message: str, line: int = 1, column: int | None = None) -> None:
        super().__init__(code, message, "" if column is None else f"column {column}")
        self.line = line


def excerpt(value: object, length: int = EXCERPT_LENGTH) -> str:
    """The beginning of a value as JSON-like text, short enough to quote.

    >>> excerpt("x" * 100, 5)
    "'xxxxx…'"
    """
    if isinstance(value, str):
        return repr(value if len(value) <= length else value[:length] + "…")
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = str(value)
    return text if len(text) <= length else text[:length] + "…"


def loads(text: str) -> Any:
    """The value in `text`; `NotJson` says what is wrong and where."""
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise NotJson("not-json", _explained(text, error), error.lineno, error.colno) from None
    except RecursionError:
        raise NotJson("too-deep", "the brackets are nested too deeply") from None
    except Malformed:
        raise
    except ValueError:
        # The interpreter refuses to convert whole numbers of thousands of digits.
        raise NotJson("number-too-large", "a number is too large") from None
    if "\\u" in text:
        _refuse_half_characters(value)
    return value


def _explained(text: str, error: json.JSONDecodeError) -> str:
    rest = text[error.pos : error.pos + EXCERPT_LENGTH + 1].strip()
    found = excerpt(rest) if rest else "the end of the text"
    return f"not JSON: {error.msg[0].lower()}{error.msg[1:]}, found {found}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for index, key in enumerate(keys) if key in keys[:index])
        raise NotJson("key-twice", f"the key {excerpt(twice)} stands twice in one object")
    return found


def _float(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise NotJson("number-too-large", f"the number {excerpt(text)} is too large")
    return number


def _constant(name: str) -> float:
    raise NotJson("not-a-number", f"{name} is not a number in JSON")


def _refuse_half_characters(value: object) -> None:
    for text in _strings(value):
        try:
            text.encode()
        except UnicodeEncodeError:
            raise NotJson(
                "half-character", f"the text {ascii(text)[:EXCERPT_LENGTH]} holds half a character"
            ) from None


def _strings(value: object) -> Iterator[str]:
    todo = [value]
    while todo:
        match todo.pop():
            case str() as text:
                yield text
            case dict() as mapping:
                todo.extend(mapping)
                todo.extend(mapping.values())
            case list() as values:
                todo.extend(values)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_float, parse_constant=_constant)
