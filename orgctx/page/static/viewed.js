// The key as which a page of the desk runs. The desk sends the requests without the secret of the key.

const meta = document.querySelector('meta[name="orgctx-key"]');

/** {name, access, scopes: separated by spaces, desk: the address to go back to}; null in the service, where people paste a key. */
export const viewed = meta && { name: meta.content, ...meta.dataset };
