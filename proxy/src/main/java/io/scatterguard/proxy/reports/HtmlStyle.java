package io.scatterguard.proxy.reports;

/** The style of all pages. Colours are variables, which charts use too; each pair has a contrast of 4.5 at least. */
final class HtmlStyle {
    static final String BASE = """

            :root {
              color-scheme: light dark;
              --text: #1b1f24; --quiet: #59626d; --ground: #ffffff; --raised: #f4f6f8; --line: #d3d9df;
              --link: #0a58ca; --alarm: #b42318; --alarm-ground: #fdecea; --good: #1a6e3c; --good-ground: #e7f5ec;
              --series-1: #0a58ca; --series-2: #b45309; --series-3: #1a6e3c; --series-4: #8e3a9d; --series-5: #59626d;
            }
            @media (prefers-color-scheme: dark) {
              :root {
                --text: #e4e8ec; --quiet: #a0a9b4; --ground: #15191e; --raised: #1f252c; --line: #39424c;
                --link: #7db3ff; --alarm: #ff9a8d; --alarm-ground: #3d1f1c; --good: #7fd69b; --good-ground: #17331f;
                --series-1: #7db3ff; --series-2: #f0b072; --series-3: #7fd69b; --series-4: #d79be3; --series-5: #a0a9b4;
              }
            }
            * { box-sizing: border-box; }
            body {
              margin: 0; color: var(--text); background: var(--ground);
              font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
            }
            main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
            h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem; }
            h2 { font-size: 1.25rem; line-height: 1.3; margin: 2.5rem 0 .75rem; }
            h3 { font-size: 1.05rem; line-height: 1.4; margin: 0 0 .5rem; }
            h1, h2, h3, p, li, dd, td { overflow-wrap: anywhere; }
            p { margin: .5rem 0; }
            a { color: var(--link); }
            :target { outline: 2px solid var(--link); outline-offset: .25rem; }
            :focus-visible { outline: 2px solid var(--link); }
            code, pre { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
            pre {
              margin: .5rem 0; padding: .6rem .8rem; background: var(--raised); border-radius: .3rem;
              white-space: pre-wrap; overflow-wrap: anywhere;
            }
            .quiet { color: var(--quiet); }
            .alarm { color: var(--alarm); }
            .good { color: var(--good); }
            .badge {
              display: inline-block; padding: 0 .5em; border-radius: .6em; font-size: .85em; font-weight: 600;
              background: var(--raised); color: var(--quiet);
            }
            .badge.alarm { background: var(--alarm-ground); color: var(--alarm); }
            .badge.good { background: var(--good-ground); color: var(--good); }
            .table { overflow-x: auto; margin: .75rem 0; }
            table { border-collapse: collapse; width: 100%; font-size: .95rem; }
            caption { text-align: start; color: var(--quiet); padding-bottom: .3rem; }
            th, td { padding: .35rem .75rem .35rem 0; text-align: start; vertical-align: top; }
            thead th { border-bottom: 2px solid var(--line); white-space: nowrap; }
            tbody tr { border-bottom: 1px solid var(--line); }
            th.number, td.number { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
            td.text { min-width: 6rem; }
            svg { max-width: 100%; height: auto; }
            @media print {
              :root {
                --text: #000000; --quiet: #444444; --ground: #ffffff; --raised: #f2f2f2; --line: #aaaaaa; --link: #000000;
                --alarm: #8f1a11; --alarm-ground: #ffffff; --good: #14532d; --good-ground: #ffffff;
                --series-1: #0a58ca; --series-2: #b45309; --series-3: #1a6e3c; --series-4: #8e3a9d; --series-5: #59626d;
              }
              main { max-width: none; padding: 0; }
              body { font-size: 10pt; }
              h1, h2, h3 { break-after: avoid; }
              tr, pre, svg, article { break-inside: avoid; }
              .table { overflow: visible; }
              thead { display: table-header-group; }
            }
            """;

    private HtmlStyle() {}
}
