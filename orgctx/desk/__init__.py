"""The desk: a web application in which owners and admins of an organization decide.

A program of its own, because the service only reads. It decides through `orgctx.decisions`, with a
database role that may write nothing else. Pages are rendered here and work without JavaScript,
except that a link to sign in carries its secret in the fragment.
"""
