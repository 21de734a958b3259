"""For every metric a plain function and an expression method, made when first asked for."""
