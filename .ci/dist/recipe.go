package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"breadboard/python"
)

// recipe writes the archive and the wheel of this platform to a folder, and beside them a recipe
// from which rattler-build makes a conda package with the program and the module, and what pixi
// needs to install that. It must be called at the root of a clone in which all is committed.
func recipe(out string) error {
	if err := release(out, []string{runtime.GOOS + "/" + runtime.GOARCH}); err != nil {
		return err
	}
	name := fmt.Sprintf("breadboard-%s-%s-%s.tar.gz", python.Version(), runtime.GOOS, runtime.GOARCH)
	if err := wheels(out, false, false, ""); err != nil {
		return err
	}
	made, err := filepath.Glob(filepath.Join(out, distribution+"-"+python.Version()+"-py3-none-*.whl"))
	if err != nil || len(made) != 1 {
		return errors.Join(err, fmt.Errorf("%s has the wheels %v; name a folder without wheels", out, made))
	}
	archive, err := os.ReadFile(filepath.Join(out, name))
	if err != nil {
		return err
	}
	wheel, err := os.ReadFile(made[0])
	if err != nil {
		return err
	}
	for path, text := range map[string]string{"recipe.yaml": recipeText(
		python.Version(),
		name,
		archive,
		filepath.Base(made[0]),
		wheel,
	), "pixi.toml": pixiText} {
		if err := os.WriteFile(filepath.Join(out, path), []byte(text), 0o666); err != nil {
			return err
		}
	}
	fmt.Printf("rattler-build build --recipe %[1]s/recipe.yaml --output-dir %[1]s/channel && pixi run "+
		"--manifest-path %[1]s/pixi.toml breadboard --version\n",
		out)
	return nil
}

// recipeText returns the recipe of a version from the content of an archive and of a wheel.
func recipeText(version, name string, archive []byte, wheel string, content []byte) string {
	return fmt.Sprintf(`schema_version: 1
package:
  name: breadboard-exact
  version: %q
source:
  - path: %s
    sha256: %x
  - path: %s
    sha256: %x
build:
  number: 0
  script:
    - $PYTHON -m pip install --no-deps --no-index --no-build-isolation %[4]s
    - mkdir -p $PREFIX/share/man $PREFIX/share/bash-completion/completions $PREFIX/share/breadboard
    - cp -r man/man1 $PREFIX/share/man/
    - cp -r page $PREFIX/share/breadboard/
    - cp completions/bash/breadboard $PREFIX/share/bash-completion/completions/
  dynamic_linking:
    binary_relocation: false
requirements:
  host:
    - python >=3.10
    - pip
  run:
    - python >=3.10
tests:
  - python:
      imports:
        - breadboard
  - script:
      - breadboard --version
      - breadboard tightness --toy easy -T 10
about:
  summary: Exact computation of Monte Carlo methods on small discrete spaces
  license: MIT
  license_file:
    - LICENSE
    - THIRD_PARTY
`, version, name, sha256.Sum256(archive), wheel, sha256.Sum256(content))
}

// pixiText is the manifest of an environment with the package from the folder beside it.
const pixiText = `[workspace]
name = "with-breadboard"
channels = ["./channel", "conda-forge"]
platforms = ["linux-64", "linux-aarch64", "osx-64", "osx-arm64"]

[dependencies]
breadboard-exact = "*"
`
