/** How an operator presents the marketplace. */
export interface Site {
  readonly name: string;
  /** An absolute URL or a path; null shows the name alone. */
  readonly logo: string | null;
  /** `#rrggbb`. */
  readonly accent: string;
  /** Shown in the footer. */
  readonly links: readonly SiteLink[];
}

export interface SiteLink {
  readonly label: string;
  readonly url: string;
}
