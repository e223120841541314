"""orgctx sync: run the imports that a file lists, each in a process of its own."""
