"""Scripts, styles and drawings travel compressed; pages do not: they carry secrets beside typed words."""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Flask, Response, request

TEXT = {"text/css", "text/javascript", "application/javascript", "image/svg+xml", "application/json"}
PUBLIC = {"static", "api.description"}


@lru_cache(maxsize=32)
def squeezed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def compress_static(app: Flask) -> None:
    @app.after_request
    def compress(response: Response) -> Response:
        if request.endpoint not in PUBLIC or response.mimetype not in TEXT:
            return response
        response.vary.add("Accept-Encoding")
        if response.status_code == 200 and request.accept_encodings["gzip"] > 0:
            response.direct_passthrough = False
            response.set_data(squeezed(response.get_data()))
            response.headers["Content-Encoding"] = "gzip"
        return response
