"""Tests of the pages: commands run, figures are computed, links lead somewhere."""
