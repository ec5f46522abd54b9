"""Porto as SVG."""
