import os

import httpx

headers = {"Authorization": f"Bearer {os.environ['ORGCTX_API_KEY']}"}
with httpx.Client(base_url="https://orgctx.example/api/v1", headers=headers) as orgctx:
    answer = orgctx.get("/search", params={"limit": 3})
    answer.raise_for_status()
    for item in answer.json()["data"]["items"]:
        print(item["kind"], item["title"])
