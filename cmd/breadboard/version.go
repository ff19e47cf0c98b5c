package main

import (
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/exact"
	"breadboard/reports"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		Long: `version prints the version, the version of Go that built it, the system, and with which vectors it computes: AVX-512 or AVX2 on a
processor of amd64 that has them. Everywhere else, and in a build with -tags noasm, it is portable, and takes longer for the
same results, to the last byte. A build from a clone has the commit in its version, and +dirty or +modified where files were changed after it; formats for machines have
the commit by itself, too.
breadboard --version prints the same.`,
		Example: "  breadboard version\n  breadboard --version\n  breadboard version --format json",
		RunE:    func(*cobra.Command, []string) error { return a.showVersion() },
	}
}

func (a *app) showVersion() error {
	build := reports.Build{Version: version(), Commit: commit(), Go: runtime.Version(), System: runtime.GOOS, Processor: runtime.GOARCH, Vectors: exact.Vectors()}
	return a.show(func() *reports.Report { return reports.VersionReport(build) })
}

// release is the version of the package that the program is part of, which the linker writes there: go run ./.ci/dist wheel has it do so.
var release string

// version returns the version from which the program was built, as far as the build says it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	return strings.TrimSpace(release + " " + versionOf(info))
}

// versionOf returns the version of a build: that of the module, the revision where the version does not have it, and +modified where
// files were changed after the revision.
func versionOf(info *debug.BuildInfo) string {
	v := info.Main.Version
	if v == "" {
		v = "(unknown)"
	}
	const short = 12 // the characters of a revision in a version that Go makes of it
	if revision := settingOf(info, "vcs.revision"); revision != "" && !strings.Contains(v, revision[:min(short, len(revision))]) {
		v += " " + revision
	}
	if settingOf(info, "vcs.modified") == "true" && !strings.Contains(v, "+dirty") {
		v += "+modified"
	}
	return v
}

// commit returns the commit from which the program was built; an empty text where the build does not say it.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return settingOf(info, "vcs.revision")
}

// settingOf returns a setting of a build; an empty text where it has none.
func settingOf(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
