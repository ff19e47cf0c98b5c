package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"breadboard/python"
)

// release writes the archives of platforms to a folder.
func release(out string, platforms []string) error {
	if changed, err := output("git", "status", "--porcelain"); err != nil || changed != "" {
		return errors.Join(err, fmt.Errorf(
			"some files are not committed, so that this release cannot be made again:\n%s",
			changed,
		))
	}
	seconds, err := output("git", "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	committed, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "breadboard-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	host := filepath.Join(work, "host")
	if err := build(runtime.GOOS, runtime.GOARCH, host, "./cmd/breadboard"); err != nil {
		return err
	}
	shared, err := documents(host)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	for _, platform := range platforms {
		system, processor, _ := strings.Cut(platform, "/")
		program := filepath.Join(work, system+"-"+processor)
		if err := build(system, processor, program, "./cmd/breadboard"); err != nil {
			return err
		}
		content, err := os.ReadFile(program)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("breadboard-%s-%s-%s", python.Version(), system, processor)
		pack := tarred
		ending := ".tar.gz"
		if system == "windows" {
			pack = zipped
			ending = ".zip"
		}
		data, err := pack(name+"/", append([]file{{executable(system), content, 0o755}}, shared...),
			time.Unix(committed, 0).UTC())
		if err != nil {
			return err
		}
		if err := write(filepath.Join(out, name+ending), data); err != nil {
			return err
		}
	}
	return writeSums(out)
}

// link matches a link of Markdown, or an image, and topic the path of a page that help has.
var (
	link  = regexp.MustCompile(`!?\[([^\]]*)\]\(([^)]*)\)`)
	topic = regexp.MustCompile(`^cmd/breadboard/topics/([a-z-]+)\.md`)
)

// removeLinks returns a text whose links lead to files of the clone as it is in an archive: it
// names the pages of help, and has no images. Links to the files beside it stay.
func removeLinks(text string) string {
	return link.ReplaceAllStringFunc(text, func(whole string) string {
		part := link.FindStringSubmatch(whole)
		page := topic.FindStringSubmatch(part[2])
		switch {
		case strings.HasPrefix(whole, "!"):
			return ""
		case page != nil:
			return part[1] + " (`breadboard help " + page[1] + "`)"
		case strings.HasPrefix(part[2], "http"), part[2] == "CHANGELOG.md", part[2] == "CITATION.cff":
			return whole
		}
		return part[1]
	})
}

// documents returns the files that are the same on all platforms, in the order of their paths.
func documents(program string) ([]file, error) {
	files, err := manual(func(words ...string) (string, error) { return output(program, words...) })
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"README.md", "CHANGELOG.md", "CITATION.cff", "LICENSE", thirdParty} {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if name == "README.md" {
			content = []byte(removeLinks(string(content)))
		}
		files = append(files, file{path.Base(name), content, 0o644})
	}
	list, err := modules()
	if err != nil {
		return nil, err
	}
	sbom, err := bill(list)
	if err != nil {
		return nil, err
	}
	files = append(files, file{"sbom.cdx.json", append(sbom, '\n'), 0o644})
	site, err := pageFiles()
	if err != nil {
		return nil, err
	}
	for _, f := range site {
		files = append(files, file{"page/" + f.path, f.content, f.mode})
	}
	for shell, name := range map[string]string{
		"bash": "bash/breadboard", "zsh": "zsh/_breadboard", "fish": "fish/breadboard.fish",
		"powershell": "powershell/breadboard.ps1"} {
		script, err := output(program, "completion", shell)
		if err != nil {
			return nil, err
		}
		files = append(files, file{"completions/" + name, []byte(script + "\n"), 0o644})
	}
	slices.SortFunc(files, func(f, g file) int { return strings.Compare(f.path, g.path) })
	return files, nil
}
