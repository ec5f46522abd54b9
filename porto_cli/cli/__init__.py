"""The commands: one small module for each group of them, loaded when it is needed."""
