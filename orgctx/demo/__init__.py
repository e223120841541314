"""The demo organization, Harbor Lights Cooperative, and the server of `orgctx demo`.

All data is invented. `data/` contains exports, a folder of documents, a manifest of files and a
bundle; `python -m orgctx.demo.write_data` generates the files that are not written by hand.
The command in `cli/demo.py` approves sources and issues a key, as an operator would.
"""
