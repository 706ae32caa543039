"""Tables of published private results, with Southwell's default beside them."""
