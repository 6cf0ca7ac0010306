"""What is wanted: objects that give a page its reward."""
