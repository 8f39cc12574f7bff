"""The pages in other browsers than Chromium, and measured."""
