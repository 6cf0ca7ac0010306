"""MCP server of a portal: assistants search it and answer with citations from it.

The tools are operations of the API with shorter answers, so its limits hold here, too.
They read, and change nothing. The package `mcp` is needed to serve them, and is imported
only then.
"""
