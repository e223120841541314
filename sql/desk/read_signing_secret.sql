-- Reads the secret of which the desk makes the key of its sessions and links.
-- Parameters: none.
-- Row: (secret text, now timestamptz).
SELECT secret, now() AS now FROM desk_signing_secret;
