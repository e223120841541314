"""The service with a path whose request never ends."""

from orgctx.app import create_app

app = create_app()


@app.get("/busy")
def compute() -> str:
    while True:
        sum(range(1_000))
