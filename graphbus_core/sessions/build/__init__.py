"""Who sits at a build, and how it stops and goes on."""
