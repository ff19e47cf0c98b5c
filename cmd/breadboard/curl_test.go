package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// curlLine is a command line of curl in a document: its options, the address in quotes, and perhaps a member of the answer behind jq.
var curlLine = regexp.MustCompile(`^curl ((?:-\S+ (?:[@\w][\w.]* )?|--data-binary @\S+ )*)'http://127\.0\.0\.1:8642/([^']*)'(?: \| jq -c \.(\w+))?$`)

// curl does what a line of curl in a document asks of a bench at the usual address, which is the one at another address here, and returns
// the lines of the output. Files are those of the folder. It needs neither curl nor jq.
func curl(t *testing.T, line, bench, dir string) []string {
	t.Helper()
	parts := curlLine.FindStringSubmatch(line)
	if parts == nil {
		t.Fatalf("nothing here reads the line %q; write curl -s 'ADDRESS' | jq -c .MEMBER, or mend curlLine", line)
	}
	request, to := curlRequest(t, strings.Fields(parts[1]), bench+parts[2], dir)
	answer := longtest.Must(http.DefaultClient.Do(request))(t)
	defer answer.Body.Close()
	body := longtest.Must(io.ReadAll(answer.Body))(t)
	if member := parts[3]; member != "" {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(body, &members); err != nil || members[member] == nil {
			t.Fatalf("%s: no member %s in %s, %v", line, member, body, err)
		}
		body = members[member]
	}
	if to == "" {
		return linesOf(string(body))
	}
	longtest.NoError(t, os.WriteFile(filepath.Join(dir, to), body, 0o644))
	return nil
}

// curlRequest returns the request of options of curl, and the name of the file for the answer, which may be empty.
func curlRequest(t *testing.T, options []string, address, dir string) (request *http.Request, to string) {
	t.Helper()
	method, body := http.MethodGet, []byte(nil)
	for len(options) > 0 {
		option := options[0]
		options = options[1:]
		switch option {
		case "-s", "-sN":
			continue
		case "-so":
			to = options[0]
		case "--data-binary":
			data, err := os.ReadFile(filepath.Join(dir, strings.TrimPrefix(options[0], "@")))
			if err != nil {
				t.Fatal(err)
			}
			method, body = http.MethodPost, data
		default:
			t.Fatalf("nothing here knows the option %s of curl", option)
		}
		options = options[1:]
	}
	request, err := http.NewRequestWithContext(t.Context(), method, address, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return request, to
}
