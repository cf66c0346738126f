"""The Iris platform for Hermes' gateway."""

from .adapter import register

__all__ = ["register"]
