"""Small files of each format of documents, as programs write them."""

import base64
import json
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from odfdo import Document, Element, Header, Paragraph, Table
from openpyxl import Workbook
from openpyxl.comments import Comment

CREATED = datetime(2024, 1, 2, tzinfo=UTC)
UPDATED = datetime(2024, 2, 3, tzinfo=UTC)


def workbook() -> bytes:
    """Two visible sheets, one of them empty, and a hidden one."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Harbours"
    for row in (
        ["Name", "Depth", "Secret", "Since"],
        ["East | A", 7.5, "x", CREATED.replace(tzinfo=None)],
        ["hidden row"],
        [],
        ["West\nB", True, "y", "=SUM(B2:B3)"],
        [None, None, "z"],
    ):
        sheet.append(row)
    sheet.column_dimensions["C"].hidden = True
    sheet.row_dimensions[3].hidden = True
    sheet["A2"].comment = Comment("Only for us", "Bob")
    book.create_sheet("Empty")
    hidden = book.create_sheet("Plans")
    hidden.append(["secret"])
    hidden.sheet_state = "hidden"
    book.properties.title = "Ports"
    book.properties.created = CREATED.replace(tzinfo=None)
    book.properties.modified = UPDATED.replace(tzinfo=None)
    return _saved(book)


def open_document() -> bytes:
    """A text with a heading, a table and a deletion."""
    document = Document("text")
    body = document.body
    body.clear()
    body.append(Header(1, "Knots"))
    body.append(Paragraph("Tie them."))
    body.append(
        Element.from_tag(
            "<text:tracked-changes><text:changed-region><text:deletion><text:p>Old words</text:p>"
            "</text:deletion></text:changed-region></text:tracked-changes>"
        )
    )
    table = Table("T", width=2, height=2)
    for place, value in {"A1": "Hour", "B1": "Who", "A2": "22", "B2": "Bob"}.items():
        table.set_value(place, value)
    body.append(table)
    document.meta.title = "Ropes"
    document.meta.creation_date = CREATED
    document.meta.date = UPDATED
    return _saved(document)


def _saved(document: Any) -> bytes:
    file = BytesIO()
    document.save(file)
    return file.getvalue()


MAIL = b"""From: Ada Lovelace <ada@example.com>\r
To: Bob <bob@example.com>\r
Bcc: Eve <eve@example.com>\r
Subject: =?utf-8?q?Night_w=C3=A4tch?=\r
Date: Tue, 2 Jan 2024 00:00:00 +0000\r
Message-ID: <1@example.com>\r
MIME-Version: 1.0\r
Content-Type: multipart/mixed; boundary=b\r
\r
--b\r
Content-Type: text/plain; charset=iso-8859-1\r
Content-Transfer-Encoding: quoted-printable\r
\r
Ring the bell at caf=E9.\r
--b\r
Content-Type: application/pdf; name=plan.pdf\r
Content-Disposition: attachment; filename=plan.pdf\r
\r
x\r
--b--\r
"""
SHORT_MAIL = (
    "From: Ada <ada@example.com>\nSubject: {0}\nMessage-ID: <{0}@example.com>\n{1}\nText of {0}\n\n"
)


def mailbox(*names: str, **headers: str) -> bytes:
    """A mailbox with a short mail of each name. headers: further lines of a mail by name."""
    start = "From ada@example.com Tue Jan  2 00:00:00 2024\n"
    return "".join(start + SHORT_MAIL.format(n, headers.get(n, "")) for n in names).encode()


SAVED_PAGE = b"""From: <Saved by Blink>\r
Subject: Moorings\r
Date: Tue, 2 Jan 2024 00:00:00 +0000\r
MIME-Version: 1.0\r
Content-Type: multipart/related; type="text/html"; boundary="b"\r
\r
--b\r
Content-Type: text/html; charset=windows-1251\r
Content-Transfer-Encoding: quoted-printable\r
\r
<h1>=CF=F0=E8=F7=E0=EB</h1><p>East</p><iframe src=3Dcid:f></iframe>\r
--b\r
Content-Type: image/png\r
\r
x\r
--b--\r
"""

NOTEBOOK = json.dumps({
    "nbformat": 4, "nbformat_minor": 5,
    "metadata": {"title": "Tides", "language_info": {"name": "python"}},
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# High\n", "water"]},
        {"cell_type": "code", "metadata": {}, "source": "print(1)", "outputs": [
            {"output_type": "stream", "text": ["1\n"]},
            {"output_type": "display_data", "data": {"image/png": "x", "text/plain": "<Figure>"}},
            {"output_type": "error", "traceback": ["secret"]},
        ]},
        {"cell_type": "code", "metadata": {"tags": ["remove-cell"]}, "source": "secret"},
        {"cell_type": "code", "metadata": {"tags": ["hide-input"]}, "source": "secret"},
        {"cell_type": "raw", "metadata": {}, "source": "title: x"},
    ],
}).encode()  # fmt: skip


def notes(*texts: str) -> bytes:
    """An Evernote export with a note of each text, all with one title."""
    picture = f"<resource><data>{base64.b64encode(bytes(999)).decode()}</data></resource>"
    items = (
        "<note><title>Bell</title><created>20240102T000000Z</created><updated>20240203T000000Z</updated>"
        "<tag>harbour</tag><note-attributes><author>Ada</author></note-attributes><content>"
        "<![CDATA[<?xml version='1.0'?><!DOCTYPE en-note SYSTEM 'http://xml.evernote.com/pub/enml2.dtd'>"
        f"<en-note><p><en-todo checked='true'/>{text}</p><en-crypt>c2VjcmV0</en-crypt></en-note>]]>"
        f"</content>{picture}</note>"
        for text in texts
    )
    return f"<?xml version='1.0'?><en-export>{''.join(items)}</en-export>".encode()
