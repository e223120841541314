"""Read web pages, and the sites that generators build of them."""
