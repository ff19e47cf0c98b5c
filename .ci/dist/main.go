// Command dist writes what breadboard is handed out as: packages for pip and R, and the archives of
// a release.
//
//	go run ./.ci/dist wheel                  a wheel for this platform, to the folder dist
//	go run ./.ci/dist wheel -all             wheels for all platforms
//	go run ./.ci/dist wheel -sdist           the source, from which pip makes a wheel where there is Go
//	go run ./.ci/dist wheel -program FILE    a wheel for this platform, with a program that has been built
//	go run ./.ci/dist r                      the source package for R
//	go run ./.ci/dist release                archives for all platforms
//	go run ./.ci/dist release -platforms linux/amd64 -out DIR
//	go run ./.ci/dist page                   the bench for any server of files, to the folder dist/page
//	go run ./.ci/dist recipe -out DIR        an archive with a recipe for conda and a manifest for pixi
//	go run ./.ci/dist licences               cmd/breadboard/THIRD_PARTY anew, after a change of go.mod
//
// A wheel has the program and the module in python/breadboard. The distribution is called
// breadboard-exact, since breadboard is another project on the Python index; the module is called
// breadboard. An archive has the program, its manual pages, what shells need to complete its
// commands, and the folder that breadboard serve --export copies. A release is made at the root of
// a clone in which all is committed. The version of all is in python/breadboard/_version.py, and
// SHA256SUMS has the checksums of the packages in the folder.
//
// The same commit gives the same bytes with the same version of Go, whatever the time, the folder
// and the machine.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := runCommand(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// runCommand writes what the words of the command line ask for.
func runCommand(words []string) error {
	kind := ""
	if len(words) > 0 {
		kind = words[0]
		words = words[1:]
	}
	flags := flag.NewFlagSet("dist "+kind, flag.ExitOnError) // a mistake ends the program
	out := flags.String("out", "dist", "the `folder` for the files")
	switch kind {
	case "wheel":
		all := flags.Bool("all", false, "make the wheels of all platforms, and not only that of this one")
		source := flags.Bool("sdist", false, "make the package of the source, and no wheel")
		program := flags.String("program",
			"", "the `file` of the program for this platform, where it has been built already")
		flags.Parse(words)
		return wheels(*out, *all, *source, *program)
	case "r":
		flags.Parse(words)
		return writeRPackage(*out)
	case "page":
		flags.Parse(words)
		return writePage(filepath.Join(*out, "page"))
	case "release":
		platforms := flags.String("platforms", "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64",
			"the systems and processors, separated by commas")
		flags.Parse(words)
		return release(*out, strings.Split(*platforms, ","))
	case "recipe":
		flags.Parse(words)
		return recipe(*out)
	case "licences":
		flags.Parse(words)
		list, err := modules()
		if err != nil {
			return err
		}
		return os.WriteFile(thirdParty, []byte(licences(list)), 0o666)
	}
	return fmt.Errorf("%q is nothing that it writes: go run ./.ci/dist wheel, r, release, page, recipe or licences",
		kind)
}
