"""One module a vendor: how it reads a list, what its versions change, and which of its requests go on on the server."""
