"""orgctx schema: print the JSON Schema of the load format."""

from __future__ import annotations

import json

import click


@click.group()
def schema() -> None:
    """Print JSON Schemas."""


@schema.command("bundle", epilog="Example: orgctx schema bundle > bundle.schema.json")
def bundle() -> None:
    """Print the JSON Schema of one line of a bundle."""
    from orgctx.bundle.json_schema import bundle_schema

    click.echo(json.dumps(bundle_schema(), indent=1, ensure_ascii=False))
