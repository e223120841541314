"""Asset metadata: folders and files, never their contents."""
