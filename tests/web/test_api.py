"""The JSON endpoints: a whole match by program, the promises of the OpenAPI file, and who may do what."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from at_the_table import GAME_BOARDS, a_picture
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scoring.registry import GAMES
from web.api import OPENAPI

SPEC = json.loads(OPENAPI.read_text())


class Program:
    """A client that holds its answers to the OpenAPI file."""

    def __init__(self, client: FlaskClient, key: str = "") -> None:
        self.client, self.key = client, key

    def __call__(self, method: str, path: str, data: Any = None, **more: Any) -> TestResponse:
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        if data is not None:
            more["json"] = data
        answer = self.client.open(f"/api/v1{path}", method=method, headers=headers, **more)
        check_answer(method, path, answer)
        return answer


def check_answer(method: str, path: str, answer: TestResponse) -> None:
    template = next(one for one in SPEC["paths"] if re.fullmatch(re.sub(r"{\w+}", "[^/]+", one), path))
    described = SPEC["paths"][template][method.lower()]["responses"]
    if answer.status_code in (400, 401):
        return
    assert str(answer.status_code) in described, (method, path, answer.status_code, answer.text)
    content = resolved(described[str(answer.status_code)]).get("content")
    if content and answer.status_code != 304:
        check_value(content["application/json"]["schema"], answer.get_json(), path)


def resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in schema:
        found: Any = SPEC
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        schema = found
    return schema


TYPES = {
    "string": str, "integer": int, "boolean": bool, "number": (int, float), "object": dict, "array": list,
    "null": type(None),
}  # fmt: skip


def check_value(schema: Mapping[str, Any], value: Any, place: str) -> None:
    """Enough of JSON Schema for this file: types, required members, enums, items."""
    schema = resolved(schema)
    for part in schema.get("allOf", ()):
        check_value(part, value, place)
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        assert any(isinstance(value, TYPES[name]) for name in names), (place, names, value)
    if "enum" in schema:
        assert value in schema["enum"], (place, value)
    if isinstance(value, dict):
        assert set(schema.get("required", ())) <= set(value), (place, schema["required"], list(value))
        for name, inner in schema.get("properties", {}).items():
            if name in value:
                check_value(inner, value[name], f"{place}.{name}")
    if isinstance(value, list) and "items" in schema:
        for index, one in enumerate(value):
            check_value(schema["items"], one, f"{place}[{index}]")


@pytest.fixture
def program(app: Flask) -> Program:
    return Program(app.test_client())


def opened(
    program: Program, game: str = "mipasuje", players: tuple[str, ...] = ("Ola", "Jan"), **more: Any
) -> Any:
    answer = program("POST", "/tables", {"game": game, "players": list(players), **more})
    assert answer.status_code == 201, answer.text
    found = answer.get_json()
    program.key = found["key"]
    return found


def cells(number: int) -> list[Any]:
    game = GAMES["mipasuje"]
    return list(game.board_json(game.from_notation(GAME_BOARDS[number]))["cells"])


def test_the_file_describes_every_endpoint_and_no_other(app: Flask) -> None:
    described = {
        (method.upper(), path)
        for path, operations in SPEC["paths"].items()
        for method in operations
        if method != "parameters"
    }
    served = {
        (method, re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule).removeprefix("/api/v1"))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/v1/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert described == served


def test_the_file_holds_together(app: Flask) -> None:
    def references(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            yield from ([value["$ref"]] if "$ref" in value else [])
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            yield from references(inner)

    for reference in references(SPEC):
        resolved({"$ref": reference})
    for path, operations in SPEC["paths"].items():
        named = {one["name"] for one in operations.get("parameters", ()) if one["in"] == "path"}
        assert named == set(re.findall(r"{(\w+)}", path))
    with app.test_client().get("/api/v1/openapi.json") as answer:
        assert answer.get_json() == SPEC


def test_a_match_by_program(program: Program) -> None:
    table = opened(program, options={"scoring": "brightest"}, rounds=2)
    place = f"/tables/{table['table']}"
    for number in (1, 2):
        for index, seat in enumerate(table["seats"]):
            path = f"{place}/rounds/{number}/seats/{seat['id']}/board"
            board = program("PUT", path, {"cells": cells((index + number) % 3)})
            assert board.get_json()["state"] == "done"
        shown = program("GET", place).get_json()
        assert shown["rounds"][-1]["complete"] is True
        if number == 1:
            assert program("POST", f"{place}/rounds").status_code == 201
    assert program("POST", f"{place}/rounds").status_code == 409
    shown = program("GET", place).get_json()
    assert [one["caller"] for one in shown["rounds"]] == ["Ola", "Jan"]
    assert shown["finished"] is True
    sums = {
        one["name"]: sum(r["players"][i]["total"] for r in shown["rounds"])
        for i, one in enumerate(shown["seats"])
    }
    assert {one["name"]: one["total"] for one in shown["ranking"]} == sums


def test_corrections_their_undo_and_the_best(program: Program) -> None:
    table = opened(program)
    place = f"/tables/{table['table']}"
    board = program("PUT", f"{place}/rounds/1/seats/1/board", {"cells": cells(0)}).get_json()
    path = f"{place}/boards/{board['id']}"
    best = program("GET", f"{path}/best").get_json()
    assert best["total"] == board["total"] <= best["best"]
    changed = program("POST", f"{path}/corrections", {"at": [0, 0], "tile": "9-7-3"})
    assert changed.status_code == 201
    assert changed.get_json()["total"] != board["total"]
    assert program("DELETE", f"{path}/corrections/last").get_json()["total"] == board["total"]
    assert program("POST", f"{path}/corrections", {"at": [0, 0], "tile": None}).get_json()["state"] == "done"
    assert program("GET", f"{path}/best").status_code == 409
    for wrong in (
        {"at": [9, 9], "tile": "9-7-3"},
        {"at": [0, 0], "tile": "9-9-9"},
        {"at": "0,0", "tile": None},
        {"at": [900, 0], "tile": None},
        {"at": [0, 0], "tile": 5},
    ):
        assert program("POST", f"{path}/corrections", wrong).status_code == 422
    assert program("PATCH", path, {"complete": "yes"}).status_code == 422
    assert program("DELETE", path).status_code == 204
    assert program("GET", path).status_code == 404


def test_tiles_set_aside_count_among_the_called(program: Program) -> None:
    table = opened(program, options={"valve": 4}, board="valve", players=("Ola",))
    place = f"/tables/{table['table']}"
    board = program("PUT", f"{place}/rounds/1/seats/1/board", {"cells": []}).get_json()
    path = f"{place}/boards/{board['id']}"
    assert program("PATCH", path, {"aside": ["9-7-3", "1-2-3"]}).get_json()["aside"] == ["9-7-3", "1-2-3"]
    assert program("PATCH", path, {"aside": ["9-9-9"]}).status_code == 422
    assert program("PATCH", path, {"aside": ["9-7-3"] * 4}).status_code == 422
    other = opened(program, players=("Ola",))
    board = program(
        "PUT", f"/tables/{other['table']}/rounds/1/seats/{other['seats'][0]['id']}/board", {"cells": []}
    )
    path = f"/tables/{other['table']}/boards/{board.get_json()['id']}"
    assert program("PATCH", path, {"aside": []}).status_code == 409


def test_renaming_seats_and_the_end(program: Program) -> None:
    table = opened(program)
    place = f"/tables/{table['table']}"
    first, second = (one["id"] for one in table["seats"])
    changed = program(
        "PATCH", place, {"seats": [{"id": first, "name": "Żaneta", "colour": "green"}]}
    ).get_json()
    assert [(one["name"], one["colour"]) for one in changed["seats"]] == [
        ("Żaneta", "green"),
        ("Jan", "blue"),
    ]
    assert program("PATCH", place, {"seats": [{"id": second, "name": "żaneta"}]}).status_code == 422
    assert program("PATCH", place, {"finished": True}).get_json()["finished"] is True
    assert program("PUT", f"{place}/seat", {"seat": second}).status_code == 200
    assert program("DELETE", place).status_code == 204
    assert program("GET", place).status_code == 404


def test_guests_may_less_than_the_host(program: Program, app: Flask) -> None:
    table = opened(program)
    place = f"/tables/{table['table']}"
    guest = Program(app.test_client())
    joined = guest("POST", "/join", {"code": table["code"].lower(), "seat": table["seats"][1]["id"]})
    assert joined.status_code == 201
    guest.key = joined.get_json()["key"]
    assert guest("PUT", f"{place}/rounds/1/seats/2/board", {"cells": cells(0)}).status_code == 200
    assert guest("PUT", f"{place}/rounds/1/seats/1/board", {"cells": cells(0)}).status_code == 403
    for method, path, data in (
        ("PATCH", place, {"finished": True}), ("DELETE", place, None), ("POST", f"{place}/rounds", None),
    ):  # fmt: skip
        assert guest(method, path, data).status_code == 403
    stranger = Program(app.test_client())
    assert stranger("GET", place).status_code == 404
    assert Program(app.test_client(), "forged")("GET", place).status_code == 401
    elsewhere = Program(app.test_client())
    opened(elsewhere)
    assert elsewhere("GET", place).status_code == 404


def test_photos_by_program(program: Program) -> None:
    table = opened(program)
    path = f"/tables/{table['table']}/rounds/1/seats/1/photo"
    answer = program.client.post(
        f"/api/v1{path}",
        headers={"Authorization": f"Bearer {program.key}"},
        data={"photo": (io.BytesIO(a_picture((64, 48))), "x.jpg")},
        content_type="multipart/form-data",
    )
    check_answer("POST", path, answer)
    assert answer.status_code == 202
    board = f"/tables/{table['table']}/boards/{answer.get_json()['id']}"
    assert program("GET", board).get_json()["state"] in ("reading", "problem", "doubts", "done")


def test_news_only(program: Program) -> None:
    table = opened(program)
    path = f"/api/v1/tables/{table['table']}"
    headers = {"Authorization": f"Bearer {program.key}"}
    tag = program.client.get(path, headers=headers).headers["ETag"]
    again = program.client.get(path, headers={**headers, "If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(
    "data",
    [
        [],
        "x",
        {"game": "mipasuje"},
        {"game": "mipasuje", "players": "Ola"},
        {"game": 5, "players": ["Ola"]},
        {"game": "mipasuje", "players": ["Ola"], "rounds": 0},
        {"game": "mipasuje", "players": ["Ola"], "rounds": True},
        {"game": "mipasuje", "players": ["Ola"], "options": {"scoring": "best"}},
        {"game": "mipasuje", "players": ["Ola"], "board": "round"},
        {"game": "bits", "players": ["Ola"], "size": [0, 4]},
        {"game": "bits", "players": [["Ola"]]},
    ],
)
def test_nonsense_opens_nothing(program: Program, find: Any, data: Any) -> None:
    from web.storage.models import Table

    assert program("POST", "/tables", data).status_code in (400, 404, 422)
    assert find(Table) == []
