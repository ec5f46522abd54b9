"""Puerto Rico as SVG: panels that are read one by one, so that they fit a phone and a desk."""
