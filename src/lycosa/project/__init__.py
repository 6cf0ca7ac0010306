"""Crawls of the real web: a folder that says what to crawl, and what a program needs."""

from lycosa.project.crawling import crawl
from lycosa.project.project import Project
from lycosa.project.sections import Storage

__all__ = ["Project", "Storage", "crawl"]
