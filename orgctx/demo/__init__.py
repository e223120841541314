"""The preview organization, Harbor Lights Cooperative, and how `orgctx demo` serves it.

All of it is invented. `data/` holds what an organization would have: exports, a folder of
documents, a manifest of files, a bundle; `python -m orgctx.demo.write_data` writes what of it
is not typed by hand. What an operator does (approving, issuing a key) stands in the command.
"""
