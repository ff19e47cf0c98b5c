package main

import (
	_ "embed"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/exact"
	module "breadboard/python"
	"breadboard/reports"
)

func (a *app) versionCommand() *cobra.Command {
	var licences bool
	c := &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		Long: `version prints the version, the version of Go that built it, the system, and with which vectors it computes: AVX-512 or AVX2 on a
processor of amd64 that has them. Everywhere else, and in a build with -tags noasm, it is portable, and takes longer for the
same results, to the last byte. A build from a clone has the first characters of the commit in parentheses, and "modified" where files were changed after it; formats for
machines have the whole commit by itself, too.
breadboard --version prints the same.

--licences prints the licences of breadboard and of all that it is made of, or with --format csv a line for each module.`,
		Example: "  breadboard version\n  breadboard --version\n  breadboard version --format json\n  breadboard version --licences",
		RunE: func(*cobra.Command, []string) error {
			if licences {
				return a.show(func() *reports.Report { return reports.LicencesReport(thirdParty) })
			}
			return a.showVersion()
		},
	}
	c.Flags().BoolVar(&licences, "licences", false, "")
	return c
}

// thirdParty is what go run ./.ci/dist licences writes.
//
//go:embed THIRD_PARTY
var thirdParty string

func (a *app) showVersion() error {
	build := reports.Build{Version: version(), Commit: commit(), Go: runtime.Version(), System: runtime.GOOS, Processor: runtime.GOARCH, Vectors: exact.Vectors()}
	return a.show(func() *reports.Report { return reports.VersionReport(build) })
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

// commit returns the commit from which the program was built; an empty text where the build does
// not say it.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return settingOf(info, "vcs.revision")
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
