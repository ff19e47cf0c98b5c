package main

import (
	_ "embed"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	module "breadboard/python"
)

// thirdParty is what go run ./.ci/dist licences writes.
//
//go:embed THIRD_PARTY
var thirdParty string

// versionText is what --version prints, with the vectors by which the program computes: AVX-512 or
// AVX2 on a processor of amd64 that has them, else portable.
func versionText(vectors string) string {
	return fmt.Sprintf("breadboard %s, %s %s/%s, vectors: %s\n", version(), runtime.Version(), runtime.GOOS,
		runtime.GOARCH, vectors)
}

// version returns the version of the program, with what the build says of where it comes from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return module.Version()
	}
	return versionOf(module.Version(), info)
}

// versionOf returns a version, and behind it in parentheses the first characters of the revision
// where the build knows it, or else the version that Go has made of it; and "modified" where files
// were changed after the revision.
func versionOf(release string, info *debug.BuildInfo) string {
	const short = 8
	var origin []string
	if revision := settingOf(info, "vcs.revision"); revision != "" {
		origin = append(origin, revision[:min(short, len(revision))])
	} else if v := info.Main.Version; v != "" && v != "(devel)" && v != "v"+release {
		origin = append(origin, v)
	}
	if settingOf(info, "vcs.modified") == "true" {
		origin = append(origin, "modified")
	}
	if origin == nil {
		return release
	}
	return release + " (" + strings.Join(origin, ", ") + ")"
}

// settingOf returns a setting of a build; an empty text if it has none.
func settingOf(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
