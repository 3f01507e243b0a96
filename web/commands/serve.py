"""`kibic serve`: the page for everybody on the network."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from web.commands.answering import Exit
from web.network import own_address
from web.terminal import one_line

if TYPE_CHECKING:
    from web.commands import Subparsers

THREADS = 16
"""An upload holds one while its picture is being cleaned; six phones may send at the same moment."""
SLACK_BYTES = 64 * 1024
"""What the form around a photo may add to it."""

EVERY_INTERFACE = ("0.0.0.0", "::", "")


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser("serve", help="the page for everybody on the network")
    parser.add_argument("--host", default="0.0.0.0", help="the address to listen on (default: every one)")
    parser.add_argument("--port", type=_port, default=8000, help="the port to listen on (default: 8000)")
    parser.add_argument("--json", action="store_true", help="print the address as JSON, without the QR code")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    import waitress

    from web.app import create_app

    app = create_app()
    if (aside := app.extensions["kibic_database"].set_aside) is not None:
        kept = f"it is kept as {aside.name}, a new one is in use"
        print(f"kibic: the database was damaged; {kept}", file=sys.stderr)
    try:
        server = waitress.create_server(
            app,
            host=args.host,
            port=args.port,
            threads=THREADS,
            max_request_body_size=app.config["MAX_CONTENT_LENGTH"] + SLACK_BYTES,
        )
    except OSError as error:
        where = f"{args.host}:{args.port}"
        reason = error.strerror or str(error)
        print(f"kibic: {one_line(f'cannot listen on {where}: {reason}')}", file=sys.stderr)
        return Exit.CANNOT
    announce(address(args.host, args.port), args.json)
    server.run()  # until Ctrl-C, which waitress itself answers by closing
    return Exit.OK


def announce(url: str, as_json: bool) -> None:
    """Prints where the page is; phones scan the square instead of typing."""
    import json

    import segno

    if as_json:
        print(json.dumps({"url": url}), flush=True)
        return
    print(f"Kibic is open at {url} (Ctrl-C closes it)\n", flush=True)
    segno.make(url, micro=False).terminal(compact=True)
    sys.stdout.flush()


def address(host: str, port: int) -> str:
    """The address other machines on this network reach us by."""
    if host in EVERY_INTERFACE:
        host = own_address()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _port(text: str) -> int:
    if text.isdecimal() and 1 <= int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError("must be a number from 1 to 65535")
