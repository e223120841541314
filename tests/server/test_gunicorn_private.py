"""The undocumented parts of gunicorn that orgctx uses.

If a new version lacks a part, the failing test names it.
"""

import ast
import inspect
import socket
import textwrap
from pathlib import Path

import gunicorn.http.message
import gunicorn.workers.base_async
import gunicorn.workers.ggevent
import pytest
from gunicorn.config import Config
from gunicorn.http.parser import Parser, RequestParser
from gunicorn.http.unreader import IterUnreader, SocketUnreader, Unreader

from orgctx.server import gunicorn_private as private

ROOT = Path(__file__).parents[2]
# gunicorn documents these for custom loggers and applications; the demo runs the arbiter.
DOCUMENTED = {"gunicorn.glogging", "gunicorn.app.base", "gunicorn.app.wsgiapp", "gunicorn.arbiter"}
HEAD = b"POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\n"


@pytest.mark.parametrize(
    ("owner", "name", "parameters"),
    [
        (Unreader, "read", ["self", "size", "read_ahead"]),
        (Unreader, "unread", ["self", "data"]),
        (Unreader, "take_buffered", ["self"]),
        (SocketUnreader, "chunk", ["self", "size_hint"]),
        (Parser, "finish_body", ["self", "deadline", "max_bytes"]),
        (gunicorn.http.message.Message, "force_close", ["self"]),
        (private.GeventWorker, "handle", ["self", "listener", "client", "addr"]),
        (private.GeventWorker, "handle_request", ["self", "listener_name", "req", "sock", "addr"]),
        (private.GeventWorker, "load_wsgi", ["self"]),
        (private.GeventWorker, "handle_exit", ["self", "sig", "frame"]),
    ],
)
def test_gunicorn_method_has_these_parameters(
    owner: type, name: str, parameters: list[str]
) -> None:
    assert [*inspect.signature(getattr(owner, name)).parameters] == parameters


def test_gunicorn_parser_reads_from_its_unreader() -> None:
    sender, receiver = socket.socketpair()
    with sender, receiver:
        sender.sendall(HEAD + b"abc" + HEAD + b"def" + HEAD)
        reader = SocketUnreader(receiver)
        requests = private.parser(Config(), reader, ("127.0.0.1", 1))
        request = next(requests)
        assert (request.path, request.body.read()) == ("/a", b"abc")
        assert private.body_is_read(requests)
        assert next(requests).body.read() == b"def"
        next(requests)
        assert not private.body_is_read(requests)


def test_gunicorn_worker_calls_handle_and_wsgi() -> None:
    run = inspect.getsource(gunicorn.workers.ggevent.GeventWorker.run)
    assert "self.handle" in run
    handle = inspect.getsource(gunicorn.workers.base_async.AsyncWorker.handle_request)
    assert "self.wsgi(environ, resp.start_response)" in handle
    assert "resp.should_close()" in handle


def test_gunicorn_logs_failed_requests_with_this_text() -> None:
    handle = inspect.getsource(gunicorn.workers.base_async.AsyncWorker.handle_request)
    tree = ast.parse(textwrap.dedent(handle))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert private.FAILED in {text for text in texts if isinstance(text, str)}


@pytest.mark.thorough
def test_other_modules_import_only_documented_parts_of_gunicorn() -> None:
    for path in (ROOT / "orgctx").rglob("*.py"):
        if path.name == "gunicorn_private.py":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gunicorn"):
                assert node.module in DOCUMENTED, path


def test_gunicorn_request_parser_uses_these_classes() -> None:
    assert RequestParser.mesg_class is gunicorn.http.message.Request
    assert issubclass(IterUnreader, Unreader)
